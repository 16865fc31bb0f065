import { describe as suite, expect, test } from 'vitest'
import { catalogue, describe } from '../../../src/edge/problem/index.js'

type Pin = readonly [
  code: number,
  title: string,
  name: string,
  category: string,
  status: number,
  retryAfter: number | undefined,
  ownerActs: boolean,
]

// Released facts: a client may depend on every one of them.
// prettier-ignore
const PINNED: readonly Pin[] = [
  [1000, 'DNS points to prohibited IP', 'dns_points_to_prohibited_ip', 'config', 403, undefined, true],
  [1001, 'DNS resolution error', 'dns_resolution_error', 'dns', 409, undefined, true],
  [1002, 'DNS points to prohibited IP', 'dns_points_to_restricted_ip', 'config', 403, undefined, true],
  [1003, 'Direct IP access not allowed', 'direct_ip_access_denied', 'access_denied', 403, undefined, false],
  [1004, 'DNS resolution error', 'host_not_configured', 'config', 530, 120, true],
  [1005, 'Autonomous system number (ASN) banned', 'asn_banned', 'access_denied', 403, undefined, true],
  [1006, 'Your IP address has been banned', 'ip_banned', 'access_denied', 403, undefined, true],
  [1007, 'Your IP address has been banned', 'ip_banned', 'access_denied', 403, undefined, true],
  [1008, 'Your IP address has been banned', 'ip_banned', 'access_denied', 403, undefined, true],
  [1009, 'Country or region banned', 'country_banned', 'access_denied', 403, undefined, true],
  [1010, 'Access denied', 'browser_signature_banned', 'access_denied', 403, undefined, true],
  [1011, 'Hotlinking denied', 'hotlink_denied', 'access_denied', 403, undefined, true],
  [1012, 'Access denied', 'access_denied', 'access_denied', 403, undefined, true],
  [1013, 'HTTP hostname and TLS SNI hostname mismatch', 'sni_hostname_mismatch', 'tls', 403, undefined, false],
  [1014, 'CNAME cross-user banned', 'cname_cross_user_banned', 'config', 403, undefined, true],
  [1015, 'You are being rate limited', 'rate_limited', 'rate_limit', 429, 30, false],
  [1016, 'Origin DNS error', 'origin_dns_error', 'dns', 530, undefined, true],
  [1017, 'TLS version not supported', 'tls_version_unsupported', 'tls', 403, undefined, false],
  [1018, 'Could not find host', 'host_not_found', 'config', 530, undefined, true],
  [1019, 'Compute server error', 'compute_server_error', 'worker', 500, undefined, true],
  [1020, 'Access denied', 'firewall_rule_blocked', 'access_denied', 403, undefined, true],
  [1023, 'Could not find host', 'host_not_found', 'config', 530, undefined, true],
  [1025, 'Please check back later', 'plan_limit_reached', 'rate_limit', 429, undefined, true],
  [1026, 'Unavailable for legal reasons', 'legal_block', 'legal', 451, undefined, true],
  [1027, 'This website has been temporarily rate limited', 'workers_daily_limit', 'rate_limit', 429, undefined, true],
  [1028, 'TLS cipher not supported', 'tls_cipher_unsupported', 'tls', 403, undefined, false],
  [1029, 'Client certificate rejected', 'client_certificate_rejected', 'tls', 403, undefined, false],
  [1033, 'Tunnel error', 'tunnel_error', 'config', 530, 120, true],
  [1034, 'Edge IP restricted', 'edge_ip_restricted', 'config', 409, undefined, true],
  [1035, 'Invalid request rewrite (invalid URI path)', 'rewrite_invalid_uri_path', 'rewrite', 500, undefined, true],
  [1036, 'Invalid request rewrite (maximum length exceeded)', 'rewrite_length_exceeded', 'rewrite', 500, undefined, true],
  [1037, 'Invalid rewrite rule (failed to evaluate expression)', 'rewrite_expression_failed', 'rewrite', 500, undefined, true],
  [1038, 'HTTP headers limit exceeded', 'headers_limit_exceeded', 'rewrite', 500, 60, true],
  [1039, 'Unavailable due to a legal restriction', 'legal_restriction', 'legal', 451, undefined, true],
  [1040, 'Invalid request rewrite (header modification not allowed)', 'rewrite_header_not_allowed', 'rewrite', 500, undefined, true],
  [1041, 'Invalid request rewrite (invalid header value)', 'rewrite_invalid_header_value', 'rewrite', 500, undefined, true],
  [1042, 'No worker found for this host', 'workers_dev_script_not_found', 'worker', 404, undefined, true],
  [1043, 'Zone configuration error', 'zone_configuration_error', 'config', 530, undefined, true],
  [1044, 'TLS not FIPS compliant', 'tls_not_fips_compliant', 'tls', 403, undefined, false],
  [1045, 'Feature or protocol not supported', 'unsupported_feature', 'unsupported', 501, undefined, false],
  [1047, 'Origin configuration error', 'origin_configuration_error', 'config', 530, undefined, true],
  [1049, 'Hostname configuration error', 'hostname_configuration_error', 'config', 530, undefined, true],
  [1100, 'Worker error', 'worker_error', 'worker', 500, undefined, true],
  [1101, 'Worker threw exception', 'worker_threw_exception', 'worker', 500, undefined, true],
  [1102, 'Worker exceeded resource limits', 'worker_exceeded_resources', 'worker', 503, undefined, true],
  [1103, 'Worker not available', 'worker_unavailable', 'worker', 500, undefined, true],
  [1104, 'Worker script not found', 'worker_script_not_found', 'worker', 500, undefined, true],
  [1105, 'Worker configuration error', 'worker_configuration_error', 'worker', 500, undefined, true],
  [1106, 'Your IP address has been banned', 'ip_banned', 'access_denied', 403, undefined, true],
  [1107, 'Access denied', 'access_denied', 'access_denied', 403, undefined, true],
  [1108, 'Access denied', 'access_denied', 'access_denied', 403, undefined, true],
  [1109, 'Access denied', 'access_denied', 'access_denied', 403, undefined, true],
  [1200, 'Cache connection limit', 'cache_connection_limit', 'rate_limit', 503, 60, false],
  [1201, 'Snippet not available', 'snippet_unavailable', 'snippet', 500, undefined, true],
  [1202, 'Snippet threw exception', 'snippet_threw_exception', 'snippet', 500, undefined, true],
  [1203, 'Snippet exceeded resource limits', 'snippet_exceeded_resources', 'snippet', 500, undefined, true],
  [1204, 'Snippet subrequest limit exceeded', 'snippet_subrequest_limit', 'snippet', 500, undefined, true],
  [1205, 'Too many redirects', 'too_many_redirects', 'snippet', 500, 5, true],
  [1206, 'Snippet configuration error', 'snippet_configuration_error', 'snippet', 500, undefined, true],
  [500, 'Internal server error', 'internal_server_error', 'cloudflare', 500, 30, false],
  [502, 'Bad gateway', 'origin_bad_gateway', 'origin', 502, 60, true],
  [504, 'Gateway time-out', 'origin_gateway_timeout', 'origin', 504, 120, true],
  [520, 'Web server is returning an unknown error', 'origin_unknown_error', 'origin', 520, 60, true],
  [521, 'Web server is down', 'origin_down', 'origin', 521, 120, true],
  [522, 'Connection timed out', 'connection_timeout', 'origin', 522, 120, true],
  [523, 'Origin is unreachable', 'origin_unreachable', 'origin', 523, 120, true],
  [524, 'A timeout occurred', 'origin_response_timeout', 'origin', 524, 120, true],
  [525, 'SSL handshake failed', 'ssl_handshake_failed', 'ssl', 525, undefined, true],
  [526, 'Invalid SSL certificate', 'invalid_ssl_certificate', 'ssl', 526, undefined, true],
]

// The tables of spec 7.2, written out once more.
const CATEGORIES: readonly (readonly [category: string, codes: readonly number[]])[] = [
  ['origin', [502, 504, 520, 521, 522, 523, 524]],
  ['cloudflare', [500]],
  ['ssl', [525, 526]],
  ['access_denied', [1005, 1006, 1007, 1008, 1010, 1012, 1106, 1107, 1108, 1109]],
  ['rate_limit', [1015, 1025, 1027, 1200]],
  ['dns', [1001, 1016]],
  ['config', [1004, 1014, 1033, 1043, 1047, 1049]],
  ['tls', [1017, 1028, 1029, 1044]],
  ['legal', [1026, 1039]],
  ['worker', [1042, 1100, 1101, 1102, 1103, 1104, 1105]],
  ['rewrite', [1036, 1037]],
  ['snippet', [1201, 1202, 1203, 1204, 1205, 1206]],
  ['unsupported', [1045]],
]
const RETRY_AFTER: readonly (readonly [code: number, seconds: number])[] = [
  [500, 30],
  [502, 60],
  [504, 120],
  [520, 60],
  [521, 120],
  [522, 120],
  [523, 120],
  [524, 120],
  [1004, 120],
  [1015, 30],
  [1033, 120],
  [1038, 60],
  [1200, 60],
  [1205, 5],
]

suite('the catalogue', () => {
  test.each(PINNED)('%i is pinned: %s', (code, title, name, category, status, retry, owner) => {
    const kind = catalogue.get(code)
    expect(kind).toMatchObject({
      code,
      title: `Error ${code}: ${title}`,
      name,
      category,
      status,
      ownerActionRequired: owner,
    })
    expect(kind?.retryAfter).toBe(retry)
  })

  test('holds the pinned codes and no other', () => {
    expect([...catalogue.keys()].toSorted()).toEqual(PINNED.map(([code]) => code).toSorted())
  })

  test.each(CATEGORIES.flatMap(([category, codes]) => codes.map((code) => [code, category])))(
    '%i is of the category %s (spec 7.2)',
    (code, category) => {
      expect(catalogue.get(Number(code))?.category).toBe(category)
    },
  )

  test.each(RETRY_AFTER)('%i is retried after %i seconds (spec 7.2)', (code, seconds) => {
    expect(describe(code, { now: 0 })).toMatchObject({ retryable: true, retry_after: seconds })
  })

  test('every other code is not retryable (spec 7.2)', () => {
    const retryable = new Set(RETRY_AFTER.map(([code]) => code))
    for (const code of catalogue.keys()) {
      if (retryable.has(code)) continue
      const problem = describe(code, { now: 0 })
      expect(problem.retryable).toBe(false)
      expect(problem).not.toHaveProperty('retry_after')
    }
  })

  test('a 5xx code of three digits is its own status', () => {
    for (const [code, kind] of catalogue) if (code < 1000) expect(kind.status).toBe(code)
  })
})

suite.each([...catalogue.keys()])('the texts of %i', (code) => {
  const { detail, what_you_should_do, retryable } = describe(code, { now: 0 })

  test('say what failed and which party is responsible', () => {
    expect(detail).toMatch(/^[A-Z].+\. The cause is .+\.$/)
  })

  test('start the advice with one bold verdict that agrees with retryable', () => {
    expect(what_you_should_do).toMatch(
      retryable
        ? /^\*\*Wait [0-9]+ seconds, then retry\.\*\* [A-Z][^*]+\.$/
        : /^\*\*(Do not retry|Fix the request)\.\*\* [A-Z][^*]+\.$/,
    )
  })

  test('are plain printable text that no format has to escape', () => {
    expect(detail + what_you_should_do.replaceAll('**', '')).toMatch(/^[A-Za-z0-9 .,;():'-]+$/)
  })
})
