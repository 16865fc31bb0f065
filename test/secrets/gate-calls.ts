import { request } from 'node:http'

const FORMS = ['text/html', 'application/json', 'application/problem+json', 'text/markdown']

/** Requests to a gate with secrets in every place that a client may fill. */
export function* gateCalls(
  host: string,
  secrets: readonly string[],
): Generator<Readonly<Record<string, string>> & { readonly path: string }> {
  for (const accept of FORMS)
    for (const path of ['/orders/7', '/broken', '/unlisted'])
      for (const secret of ['', ...secrets])
        for (const credentials of [
          { authorization: `Bearer ${secret}` },
          { authorization: `Bearer a.${secret}.b` },
          { authorization: `Bearer ${secret.slice(0, -2)}` },
          { authorization: `Basic ${secret}` },
          { cookie: `session=${secret}; ${secret}=x` },
          { 'x-forwarded-for': secret, 'x-anything': secret, referer: `http://x/${secret}` },
        ])
          yield { ...credentials, accept, host, path: `${path}?access_token=${secret}` }
  for (const accept of FORMS) {
    yield { accept, host: 'nowhere.example', path: '/' }
    yield { accept, host, path: '/%' }
  }
}

/** Sends a request and gives the whole answer: status line, headers, body. */
export function answerOf(
  gate: string,
  { path, ...headers }: Readonly<Record<string, string>>,
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(gate + path, { agent: false, headers }, (answer) => {
      let text = `${answer.statusCode} ${answer.statusMessage}\n${answer.rawHeaders.join('\n')}\n\n`
      answer.setEncoding('utf8').on('data', (part: string) => (text += part))
      answer.once('error', reject).once('end', () => resolve(text))
    })
    sent.once('error', reject).end()
  })
}
