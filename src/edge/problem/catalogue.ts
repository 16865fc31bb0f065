import { FAMILIES, type Family, type Side } from './family.js'

/** Fault classification of an edge error, spec 7.2; stable once released. */
export type Category =
  | 'access_denied'
  | 'cloudflare'
  | 'config'
  | 'dns'
  | 'legal'
  | 'origin'
  | 'rate_limit'
  | 'rewrite'
  | 'snippet'
  | 'ssl'
  | 'tls'
  | 'unsupported'
  | 'worker'

/** All that is fixed about one edge error code. */
export interface ProblemKind {
  readonly code: number
  /** `Error <code>: <description>` */
  readonly title: string
  /** Stable machine-readable name. Several codes of one meaning may share it. */
  readonly name: string
  readonly category: Category
  /** HTTP status of the response unless the caller overrides it. */
  readonly status: number
  /** Default `Retry-After` in seconds; undefined means not retryable. */
  readonly retryAfter: number | undefined
  readonly ownerActionRequired: boolean
  /** Where on the way of a request the cause lies. */
  readonly side: Side
  /** Two plain sentences: what failed and who is responsible. */
  readonly detail: string
  /** What to do, without the bold verdict that `describe` puts in front. */
  readonly advice: string
  /** True when the client can make the request succeed by changing it. */
  readonly fixable: boolean
}

type Row = readonly [
  codes: number | readonly number[],
  title: string,
  name: string,
  category: Category,
  status: number,
  family: Family,
  fault: string,
  remedy?: string | undefined,
  retryAfter?: number,
]

// A fault left empty is the title; a remedy left out is that of the family.
// prettier-ignore
const ROWS: readonly Row[] = [
  [1000, 'DNS points to prohibited IP', 'dns_points_to_prohibited_ip', 'config', 403, 'setup', 'A DNS record of this host points to an address of the edge.', 'point it to the origin server'],
  [1001, 'DNS resolution error', 'dns_resolution_error', 'dns', 409, 'setup', 'This host name does not resolve.', 'check its DNS records'],
  [1002, 'DNS points to prohibited IP', 'dns_points_to_restricted_ip', 'config', 403, 'setup', 'A DNS record of this host points to a private or restricted address.', 'point it to the origin server'],
  [1003, 'Direct IP access not allowed', 'direct_ip_access_denied', 'access_denied', 403, 'client', 'The request names an IP address instead of a host.', 'Use the host name of the site.'],
  [1004, 'DNS resolution error', 'host_not_configured', 'config', 530, 'setup', 'This host is not configured to serve web traffic.', 'finish its setup', 120],
  [1005, 'Autonomous system number (ASN) banned', 'asn_banned', 'access_denied', 403, 'policy', 'The network of your IP address is banned.'],
  [[1006, 1007, 1008, 1106], 'Your IP address has been banned', 'ip_banned', 'access_denied', 403, 'policy', ''],
  [1009, 'Country or region banned', 'country_banned', 'access_denied', 403, 'policy', 'The country or region of your IP address is banned.'],
  [1010, 'Access denied', 'browser_signature_banned', 'access_denied', 403, 'policy', 'The signature of your browser is banned.'],
  [1011, 'Hotlinking denied', 'hotlink_denied', 'access_denied', 403, 'policy', 'This resource may not be used from the page that asked for it.'],
  [1012, 'Access denied', 'access_denied', 'access_denied', 403, 'policy', 'Your device or network has shown suspicious activity.'],
  [1013, 'HTTP hostname and TLS SNI hostname mismatch', 'sni_hostname_mismatch', 'tls', 403, 'client', '', 'Send one host name in both.'],
  [1014, 'CNAME cross-user banned', 'cname_cross_user_banned', 'config', 403, 'setup', 'The CNAME record of this host points to a host of another account.', 'point it to one of the same account'],
  [1015, 'You are being rate limited', 'rate_limited', 'rate_limit', 429, 'client', 'Your client sent more requests than this site allows.', 'Send fewer requests, and wait longer each time this happens again.', 30],
  [1016, 'Origin DNS error', 'origin_dns_error', 'dns', 530, 'setup', 'The host name of the origin server does not resolve.', 'check its DNS records'],
  [1017, 'TLS version not supported', 'tls_version_unsupported', 'tls', 403, 'client', '', 'Use TLS 1.2 or newer.'],
  [[1018, 1023], 'Could not find host', 'host_not_found', 'config', 530, 'setup', 'The edge knows no active site with this host name.', 'check that the site is active'],
  [1019, 'Compute server error', 'compute_server_error', 'worker', 500, 'code', 'The worker calls itself in a loop.', 'break the loop'],
  [1020, 'Access denied', 'firewall_rule_blocked', 'access_denied', 403, 'policy', 'A security rule of this site blocked the request.'],
  [1025, 'Please check back later', 'plan_limit_reached', 'rate_limit', 429, 'quota', 'This site has reached the request limit of its plan.'],
  [1026, 'Unavailable for legal reasons', 'legal_block', 'legal', 451, 'law', ''],
  [1027, 'This website has been temporarily rate limited', 'workers_daily_limit', 'rate_limit', 429, 'quota', 'This site has reached the daily request limit of its workers.'],
  [1028, 'TLS cipher not supported', 'tls_cipher_unsupported', 'tls', 403, 'client', '', 'Use current TLS ciphers.'],
  [1029, 'Client certificate rejected', 'client_certificate_rejected', 'tls', 403, 'client', '', 'Use a valid certificate.'],
  [1033, 'Tunnel error', 'tunnel_error', 'config', 530, 'setup', 'The tunnel to the origin server is configured but not reachable.', 'start it', 120],
  [1034, 'Edge IP restricted', 'edge_ip_restricted', 'config', 409, 'setup', 'This host points to an address of the edge that it may not use.', 'use an address of its own'],
  [1035, 'Invalid request rewrite (invalid URI path)', 'rewrite_invalid_uri_path', 'rewrite', 500, 'setup', ''],
  [1036, 'Invalid request rewrite (maximum length exceeded)', 'rewrite_length_exceeded', 'rewrite', 500, 'setup', ''],
  [1037, 'Invalid rewrite rule (failed to evaluate expression)', 'rewrite_expression_failed', 'rewrite', 500, 'setup', ''],
  [1038, 'HTTP headers limit exceeded', 'headers_limit_exceeded', 'rewrite', 500, 'setup', 'A rewrite rule made the headers exceed their limit.', 'make it add less', 60],
  [1039, 'Unavailable due to a legal restriction', 'legal_restriction', 'legal', 451, 'law', ''],
  [1040, 'Invalid request rewrite (header modification not allowed)', 'rewrite_header_not_allowed', 'rewrite', 500, 'setup', ''],
  [1041, 'Invalid request rewrite (invalid header value)', 'rewrite_invalid_header_value', 'rewrite', 500, 'setup', ''],
  [1042, 'No worker found for this host', 'workers_dev_script_not_found', 'worker', 404, 'code', '', 'deploy one'],
  [1043, 'Zone configuration error', 'zone_configuration_error', 'config', 530, 'setup', ''],
  [1044, 'TLS not FIPS compliant', 'tls_not_fips_compliant', 'tls', 403, 'client', '', 'Use FIPS-approved TLS settings.'],
  [1045, 'Feature or protocol not supported', 'unsupported_feature', 'unsupported', 501, 'client', '', 'Use another feature or protocol.'],
  [1047, 'Origin configuration error', 'origin_configuration_error', 'config', 530, 'setup', ''],
  [1049, 'Hostname configuration error', 'hostname_configuration_error', 'config', 530, 'setup', ''],
  [1100, 'Worker error', 'worker_error', 'worker', 500, 'code', ''],
  [1101, 'Worker threw exception', 'worker_threw_exception', 'worker', 500, 'code', ''],
  [1102, 'Worker exceeded resource limits', 'worker_exceeded_resources', 'worker', 503, 'code', '', 'make it use less CPU time and memory'],
  [1103, 'Worker not available', 'worker_unavailable', 'worker', 500, 'code', ''],
  [1104, 'Worker script not found', 'worker_script_not_found', 'worker', 500, 'code', '', 'deploy it again'],
  [1105, 'Worker configuration error', 'worker_configuration_error', 'worker', 500, 'code', ''],
  [[1107, 1108, 1109], 'Access denied', 'access_denied', 'access_denied', 403, 'policy', 'An access rule of this site refused the request.'],
  [1200, 'Cache connection limit', 'cache_connection_limit', 'rate_limit', 503, 'edge', 'Too many requests wait at the edge for the origin server.', undefined, 60],
  [1201, 'Snippet not available', 'snippet_unavailable', 'snippet', 500, 'code', ''],
  [1202, 'Snippet threw exception', 'snippet_threw_exception', 'snippet', 500, 'code', ''],
  [1203, 'Snippet exceeded resource limits', 'snippet_exceeded_resources', 'snippet', 500, 'code', '', 'make it use less CPU time and memory'],
  [1204, 'Snippet subrequest limit exceeded', 'snippet_subrequest_limit', 'snippet', 500, 'code', '', 'make it send fewer requests'],
  [1205, 'Too many redirects', 'too_many_redirects', 'snippet', 500, 'code', 'A snippet followed too many redirects.', 'break the loop', 5],
  [1206, 'Snippet configuration error', 'snippet_configuration_error', 'snippet', 500, 'code', ''],
  [500, 'Internal server error', 'internal_server_error', 'cloudflare', 500, 'edge', 'The edge failed to process the request.', undefined, 30],
  [502, 'Bad gateway', 'origin_bad_gateway', 'origin', 502, 'origin', 'The origin server sent an invalid or incomplete answer.', undefined, 60],
  [504, 'Gateway time-out', 'origin_gateway_timeout', 'origin', 504, 'origin', 'The origin server did not answer in time.', undefined, 120],
  [520, 'Web server is returning an unknown error', 'origin_unknown_error', 'origin', 520, 'origin', 'The origin server sent no answer, or one that could not be parsed.', undefined, 60],
  [521, 'Web server is down', 'origin_down', 'origin', 521, 'origin', 'The origin server refused the connection.', 'check that it runs and lets the edge in', 120],
  [522, 'Connection timed out', 'connection_timeout', 'origin', 522, 'origin', 'The origin server did not complete the TCP handshake in time.', 'check its load and its firewall', 120],
  [523, 'Origin is unreachable', 'origin_unreachable', 'origin', 523, 'origin', 'The edge found no route to the origin server.', 'check its address and its network', 120],
  [524, 'A timeout occurred', 'origin_response_timeout', 'origin', 524, 'origin', 'The origin server sent no complete answer within the read timeout (120 seconds by default).', undefined, 120],
  [525, 'SSL handshake failed', 'ssl_handshake_failed', 'ssl', 525, 'origin', 'The origin server did not complete the TLS handshake.', 'check its TLS settings'],
  [526, 'Invalid SSL certificate', 'invalid_ssl_certificate', 'ssl', 526, 'origin', 'The certificate of the origin server is not valid for this host.', 'install a valid certificate'],
]

function kindsOf(row: Row): [number, ProblemKind][] {
  const [codes, title, name, category, status, familyName, fault, remedy, retryAfter] = row
  const family = FAMILIES[familyName]
  return [codes].flat().map((code) => [
    code,
    {
      code,
      title: `Error ${code}: ${title}`,
      name,
      category,
      status,
      retryAfter,
      ownerActionRequired: family.ownerActs,
      side: family.side,
      detail: `${fault || `${title}.`} ${family.blame}`,
      advice: family.before + (remedy ?? family.remedy) + family.after,
      fixable: familyName === 'client',
    },
  ])
}

/** Every edge error code there is (spec 7.2); a code that is not in here is not known. */
export const catalogue: ReadonlyMap<number, ProblemKind> = new Map(ROWS.flatMap(kindsOf))
