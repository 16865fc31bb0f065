import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { startExternal } from './external-server.mjs'
import { compareServers, forkServer } from './http-subjects.mjs'
import { makeKey, makeToken } from './tokens.mjs'

const LIVE_TOKENS = 1000
const AUTH = fileURLToPath(new URL('auth.mjs', import.meta.url))

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

const isThere = (command) => spawnSync(command, ['-v'], { stdio: 'ignore' }).error === undefined

const request = (token) =>
  `GET /v1/things7/42 HTTP/1.1\r\nHost: shop.example\r\nUser-Agent: bench\r\nAccept: */*\r\n` +
  `Authorization: Bearer ${token}\r\n\r\n`

/**
 * CPU time of the server process per request, beside servers written in C where they are installed.
 * HAProxy checks each signature anew, the gate remembers its verdicts: `fresh` asks with every token
 * once, `live` with a thousand again and again.
 */
export async function run() {
  const results = []
  for (const alg of ['RS256', 'ES256']) {
    const key = makeKey(alg)
    process.env.BENCH_JWK = JSON.stringify(key.jwk)
    const tokens = Array.from({ length: LIVE_TOKENS }, (_, n) => makeToken(key, n))
    const servers = ['bare node:http', 'portcullis, ext-authz'].map((name) => [
      name,
      () => forkServer(AUTH, name),
    ])
    if (isThere('haproxy'))
      servers.push([`HAProxy jwt_verify ${alg}`, () => startExternal(haproxy(key))])
    if (isThere('nginx')) servers.push(['nginx return 200', () => startExternal(nginx)])
    const title = `HTTP, ${LIVE_TOKENS} live ${alg} tokens on 16 connections`
    results.push(
      await compareServers({ title, servers, requests: tokens.map(request), bodyLength: 0 }),
    )
  }
  return { title: 'http', rows: results.flatMap(({ rows }) => rows) }
}
