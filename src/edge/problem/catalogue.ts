import { FAMILIES, type Family } from './family.js'

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
  remedy: string,
  retryAfter?: number,
]

// prettier-ignore
const ROWS: readonly Row[] = [
  [1000, 'DNS points to prohibited IP', 'dns_points_to_prohibited_ip', 'config', 403, 'setup', 'A DNS record of this host points to an address of the edge itself.', 'point it to the origin server'],
  [1001, 'DNS resolution error', 'dns_resolution_error', 'dns', 409, 'setup', 'The edge could not resolve this host name.', 'check the DNS records of this host'],
  [1002, 'DNS points to prohibited IP', 'dns_points_to_restricted_ip', 'config', 403, 'setup', 'A DNS record of this host points to a private or restricted address.', 'point it to the public address of the origin server'],
  [1003, 'Direct IP access not allowed', 'direct_ip_access_denied', 'access_denied', 403, 'client', 'The request names an IP address of the edge instead of a host.', 'Use the host name of the site in the URL.'],
  [1004, 'DNS resolution error', 'host_not_configured', 'config', 530, 'setup', 'This host is not configured to serve web traffic yet.', 'finish the setup of this host', 120],
  [1005, 'Autonomous system number (ASN) banned', 'asn_banned', 'access_denied', 403, 'policy', 'The network that your request comes from is banned.', 'Requests from this network are refused.'],
  [[1006, 1007, 1008, 1106], 'Your IP address has been banned', 'ip_banned', 'access_denied', 403, 'policy', 'Your IP address is banned.', 'Requests from this address are refused.'],
  [1009, 'Country or region banned', 'country_banned', 'access_denied', 403, 'policy', 'The country or region of your IP address is banned.', 'Requests from this region are refused.'],
  [1010, 'Access denied', 'browser_signature_banned', 'access_denied', 403, 'policy', 'The signature of your browser or client is banned.', 'Requests that carry this signature are refused.'],
  [1011, 'Hotlinking denied', 'hotlink_denied', 'access_denied', 403, 'policy', 'This resource may not be used from the page that asked for it.', 'Open it from the site itself.'],
  [1012, 'Access denied', 'access_denied', 'access_denied', 403, 'policy', 'Your device or network has shown suspicious activity.', 'Check your device for malware.'],
  [1013, 'HTTP hostname and TLS SNI hostname mismatch', 'sni_hostname_mismatch', 'tls', 403, 'client', 'The Host header differs from the host name of the TLS handshake (SNI).', 'Send one host name in both, on a new connection.'],
  [1014, 'CNAME cross-user banned', 'cname_cross_user_banned', 'config', 403, 'setup', 'The CNAME record of this host points into a zone of another account.', 'point it to a host of the same account or register it as a custom hostname'],
  [1015, 'You are being rate limited', 'rate_limited', 'rate_limit', 429, 'client', 'Your client sent more requests than a rate limit of this site allows.', 'Send fewer requests, and double the wait each time this happens again.', 30],
  [1016, 'Origin DNS error', 'origin_dns_error', 'dns', 530, 'setup', 'The host name of the origin server does not resolve.', 'correct the DNS record of the origin server'],
  [1017, 'TLS version not supported', 'tls_version_unsupported', 'tls', 403, 'client', 'Your client used a TLS version that this site does not accept.', 'Use a client with TLS 1.2 or newer.'],
  [[1018, 1023], 'Could not find host', 'host_not_found', 'config', 530, 'setup', 'The edge knows no active site with this host name.', 'check that the site is active and has this host'],
  [1019, 'Compute server error', 'compute_server_error', 'worker', 500, 'code', 'The worker of this site calls itself in a loop.', 'keep the worker from requesting its own URL'],
  [1020, 'Access denied', 'firewall_rule_blocked', 'access_denied', 403, 'policy', 'A security rule of this site blocked the request.', 'The same request will be blocked again.'],
  [1025, 'Please check back later', 'plan_limit_reached', 'rate_limit', 429, 'quota', 'This site has reached the request limit of its plan.', 'raise the limit'],
  [1026, 'Unavailable for legal reasons', 'legal_block', 'legal', 451, 'law', 'This content is blocked for legal reasons.', ''],
  [1027, 'This website has been temporarily rate limited', 'workers_daily_limit', 'rate_limit', 429, 'quota', 'This site has used up its worker requests of the day.', 'raise the daily limit or wait for its reset'],
  [1028, 'TLS cipher not supported', 'tls_cipher_unsupported', 'tls', 403, 'client', 'Your client offered no TLS cipher that this site accepts.', 'Use a client with current TLS ciphers.'],
  [1029, 'Client certificate rejected', 'client_certificate_rejected', 'tls', 403, 'client', 'The certificate of your client is missing, expired or not accepted.', 'Present a valid client certificate.'],
  [1033, 'Tunnel error', 'tunnel_error', 'config', 530, 'setup', 'The tunnel to the origin server is configured but cannot be reached.', 'start the tunnel and check its connection', 120],
  [1034, 'Edge IP restricted', 'edge_ip_restricted', 'config', 409, 'setup', 'This host points to an address of the edge that it may not use.', 'use the edge addresses assigned to the site'],
  [1035, 'Invalid request rewrite (invalid URI path)', 'rewrite_invalid_uri_path', 'rewrite', 500, 'setup', 'A rewrite rule produced an invalid URI path.', 'make the rule produce a path that starts with a slash'],
  [1036, 'Invalid request rewrite (maximum length exceeded)', 'rewrite_length_exceeded', 'rewrite', 500, 'setup', 'A rewrite rule produced a URI that is too long.', 'make the rule produce a shorter URI'],
  [1037, 'Invalid rewrite rule (failed to evaluate expression)', 'rewrite_expression_failed', 'rewrite', 500, 'setup', 'The expression of a rewrite rule could not be evaluated.', 'correct the expression'],
  [1038, 'HTTP headers limit exceeded', 'headers_limit_exceeded', 'rewrite', 500, 'setup', 'A rewrite rule made the request headers exceed their limit.', 'make the rule add fewer or shorter headers', 60],
  [1039, 'Unavailable due to a legal restriction', 'legal_restriction', 'legal', 451, 'law', 'A legal restriction keeps this content from being served to you.', ''],
  [1040, 'Invalid request rewrite (header modification not allowed)', 'rewrite_header_not_allowed', 'rewrite', 500, 'setup', 'A rewrite rule changes a header that no rule may change.', 'remove that header from the rule'],
  [1041, 'Invalid request rewrite (invalid header value)', 'rewrite_invalid_header_value', 'rewrite', 500, 'setup', 'A rewrite rule produced an invalid header value.', 'make the rule produce a valid value'],
  [1042, 'No worker found for this host', 'workers_dev_script_not_found', 'worker', 404, 'code', 'No worker is deployed for this host.', 'deploy a worker or correct its route'],
  [1043, 'Zone configuration error', 'zone_configuration_error', 'config', 530, 'setup', 'The configuration of this zone is invalid.', 'correct the configuration of the zone'],
  [1044, 'TLS not FIPS compliant', 'tls_not_fips_compliant', 'tls', 403, 'client', 'The TLS connection of your client is not FIPS compliant, which this site demands.', 'Use a client with FIPS-approved TLS settings.'],
  [1045, 'Feature or protocol not supported', 'unsupported_feature', 'unsupported', 501, 'client', 'The request uses a feature or protocol that is not supported here.', 'Send it without that feature or over another protocol.'],
  [1047, 'Origin configuration error', 'origin_configuration_error', 'config', 530, 'setup', 'The origin settings of this site are invalid.', 'correct the origin settings'],
  [1049, 'Hostname configuration error', 'hostname_configuration_error', 'config', 530, 'setup', 'The settings of this host name are invalid.', 'correct the settings of the host name'],
  [1100, 'Worker error', 'worker_error', 'worker', 500, 'code', 'The worker of this site failed.', 'check the logs of the worker'],
  [1101, 'Worker threw exception', 'worker_threw_exception', 'worker', 500, 'code', 'The worker of this site threw an exception and did not catch it.', 'find the exception in the logs of the worker'],
  [1102, 'Worker exceeded resource limits', 'worker_exceeded_resources', 'worker', 503, 'code', 'The worker of this site exceeded its limit of CPU time or memory.', 'make the worker do less or raise its limits'],
  [1103, 'Worker not available', 'worker_unavailable', 'worker', 500, 'code', 'The worker of this site is not available.', 'check that the worker is deployed and enabled'],
  [1104, 'Worker script not found', 'worker_script_not_found', 'worker', 500, 'code', 'The script of the worker of this site was not found.', 'deploy the script again'],
  [1105, 'Worker configuration error', 'worker_configuration_error', 'worker', 500, 'code', 'The configuration of the worker of this site is invalid.', 'correct the configuration of the worker'],
  [[1107, 1108, 1109], 'Access denied', 'access_denied', 'access_denied', 403, 'policy', 'An access rule of this site refused the request.', 'The same request will be refused again.'],
  [1200, 'Cache connection limit', 'cache_connection_limit', 'rate_limit', 503, 'edge', 'Too many requests already wait at the edge for the origin server.', 'Waiting requests drain by themselves.', 60],
  [1201, 'Snippet not available', 'snippet_unavailable', 'snippet', 500, 'code', 'A snippet of this site is not available.', 'check that the snippet is deployed and enabled'],
  [1202, 'Snippet threw exception', 'snippet_threw_exception', 'snippet', 500, 'code', 'A snippet of this site threw an exception and did not catch it.', 'find the exception in the snippet'],
  [1203, 'Snippet exceeded resource limits', 'snippet_exceeded_resources', 'snippet', 500, 'code', 'A snippet of this site exceeded its limit of CPU time or memory.', 'make the snippet do less'],
  [1204, 'Snippet subrequest limit exceeded', 'snippet_subrequest_limit', 'snippet', 500, 'code', 'A snippet of this site made too many subrequests.', 'make the snippet send fewer subrequests'],
  [1205, 'Too many redirects', 'too_many_redirects', 'snippet', 500, 'code', 'A snippet of this site followed too many redirects.', 'break the redirect loop of the snippet', 5],
  [1206, 'Snippet configuration error', 'snippet_configuration_error', 'snippet', 500, 'code', 'The configuration of a snippet of this site is invalid.', 'correct the configuration of the snippet'],
  [500, 'Internal server error', 'internal_server_error', 'cloudflare', 500, 'edge', 'The edge failed to process the request.', 'Such faults are mostly short.', 30],
  [502, 'Bad gateway', 'origin_bad_gateway', 'origin', 502, 'origin', 'The origin server sent an invalid or incomplete answer.', 'check that the server is up and finishes its answers', 60],
  [504, 'Gateway time-out', 'origin_gateway_timeout', 'origin', 504, 'origin', 'The origin server did not answer in time.', 'check the load of the server', 120],
  [520, 'Web server is returning an unknown error', 'origin_unknown_error', 'origin', 520, 'origin', 'The origin server sent an answer that could not be parsed.', 'check the server for crashes, resets and oversized headers', 60],
  [521, 'Web server is down', 'origin_down', 'origin', 521, 'origin', 'The origin server refused the connection.', 'check that the server runs and lets the edge in', 120],
  [522, 'Connection timed out', 'connection_timeout', 'origin', 522, 'origin', 'The TCP handshake with the origin server was not completed in time.', 'check the load and the firewall of the server', 120],
  [523, 'Origin is unreachable', 'origin_unreachable', 'origin', 523, 'origin', 'The edge found no route to the origin server.', 'check the address and the network of the server', 120],
  [524, 'A timeout occurred', 'origin_response_timeout', 'origin', 524, 'origin', 'The origin server accepted the connection but sent no complete answer within the read timeout (120 seconds unless set otherwise).', 'make the server answer sooner or move long work to the background', 120],
  [525, 'SSL handshake failed', 'ssl_handshake_failed', 'ssl', 525, 'origin', 'The TLS handshake between the edge and the origin server failed.', 'repair the TLS setup of the server'],
  [526, 'Invalid SSL certificate', 'invalid_ssl_certificate', 'ssl', 526, 'origin', 'The certificate of the origin server is not valid for this host.', 'install a trusted certificate for this host that has not expired'],
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
      detail: `${fault} ${family.blame}`,
      advice: family.before + remedy + family.after,
      fixable: familyName === 'client',
    },
  ])
}

/** Every edge error code there is (spec 7.2); a code that is not in here is not known. */
export const catalogue: ReadonlyMap<number, ProblemKind> = new Map(ROWS.flatMap(kindsOf))
