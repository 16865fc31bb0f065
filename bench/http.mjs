import { authSubject, BARE, BARE_COLD, COLD } from './auth.mjs'
import { compareServers } from './measure/compare-servers.mjs'
import { startExternal } from './measure/external-server.mjs'
import { loadHttp, refusesHttp } from './measure/load-http.mjs'
import { programVersion } from './page/machine.mjs'
import { sendJwk } from './subjects/sent-jwk.mjs'
import { makeKey, makeTokens, spoil } from './subjects/tokens.mjs'

const LIVE_TOKENS = 1000

/** One thread, keep-alive, the signature checked for every request: it remembers none. */
const haproxy = (key) => ({
  command: 'haproxy',
  files: (folder, port) => ({
    'key.pem': key.publicKey.export({ type: 'spki', format: 'pem' }),
    'haproxy.cfg': `
global
  nbthread 1
defaults
  mode http
  timeout client 60s
  timeout server 60s
  timeout connect 5s
frontend gate
  bind 127.0.0.1:${port}
  http-request set-var(txn.bearer) http_auth_bearer
  http-request deny unless { var(txn.bearer),jwt_header_query('$.alg') -m str ${key.alg} }
  http-request deny unless { var(txn.bearer),jwt_verify("${key.alg}","${folder}/key.pem") -m int 1 }
  http-request return status 200
`,
  }),
  args: (folder) => ['-q', '-db', '-f', `${folder}/haproxy.cfg`],
})

/** What a server in C costs that answers and checks nothing. */
const nginx = {
  command: 'nginx',
  files: (folder, port) => ({
    'nginx.conf': `
daemon off; pid ${folder}/pid; error_log stderr; worker_processes 1;
events {}
http {
  access_log off; keepalive_requests 1000000;
  ${['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((path) => `${path}_temp_path ${folder}/${path};`)
    .join(' ')}
  server { listen 127.0.0.1:${port}; location / { return 200; } }
}`,
  }),
  args: (folder) => ['-p', folder, '-c', `${folder}/nginx.conf`],
}

/** Only Linux tells the CPU time of other programs. */
const canMeasure = (name) => process.platform === 'linux' && programVersion(name) !== undefined

const request = (token) =>
  'GET /v1/things7/42 HTTP/1.1\r\nHost: h0.example.com\r\nUser-Agent: bench\r\nAccept: */*\r\n' +
  `Authorization: Bearer ${token}\r\n\r\n`

/**
 * CPU time of the server process per request, beside servers written in C where they are installed.
 * HAProxy checks each signature anew, the gate remembers its verdicts unless it may not.
 */
export async function run() {
  const missing = ['haproxy', 'nginx'].filter((name) => !canMeasure(name))
  const notes = missing.map((name) => `${name} is not installed, or this is not Linux: left out`)
  for (const note of notes) console.log(note)
  const rows = []
  for (const alg of ['RS256', 'ES256']) {
    const key = makeKey(alg)
    sendJwk(key)
    const others = [
      {
        name: 'HAProxy jwt_verify',
        kind: 'peer',
        checks: true,
        start: () => startExternal(haproxy(key)),
      },
      { name: 'nginx, no check at all', kind: 'floor', start: () => startExternal(nginx) },
    ].filter(({ name }) => !missing.includes(name.split(/[ ,]/)[0].toLowerCase()))
    const own = [BARE, 'portcullis, ext-authz', COLD, BARE_COLD]
    const servers = [...own.map(authSubject), ...others]
    const tokens = makeTokens(key, LIVE_TOKENS)
    const load = loadHttp(tokens.map(request), 0)
    const refuses = refusesHttp(request(spoil(tokens[0])))
    rows.push(...(await compareServers(alg, servers, load, refuses)))
  }
  return { rows, notes }
}
