import { isIP } from 'node:net'
import { explanation } from '../../edge/gate/index.js'
import { createGate, type GateRequest } from '../../edge/index.js'
import { nodeCrypto } from '../crypto.js'
import { readPolicyFile } from '../policy-file.js'
import { UsageError, type Command, type ExitCode } from './command.js'
import { parseOptions } from './parse-options.js'
import { faultsOf, printIssue } from './policy-report.js'
import { printExplanation } from './print-explanation.js'

/** `portcullis explain`: every step from one request to its decision. */
export const explain: Command = {
  name: 'explain',
  summary: 'show how a policy judges one request, step by step',
  help: `Usage: portcullis explain --policy FILE [options] URL

Judges one request, which is not sent, and shows what a gate would do with it: the operation, the
rule and why this one, where tokens were found, which key and which check, and the value of every
part of the expression. Tokens, keys and claims are never shown.

  --policy FILE           policy document (\`-\`: standard input)
  -X, --request METHOD    default GET
  -H, --header 'N: V'     a request header, may repeat, as with curl
  --token TOKEN           short for -H 'Authorization: Bearer TOKEN'
  --ip ADDRESS            address of the client
  --at TIME               judge at this time (ISO 8601, or seconds since 1970) instead of now
  --json                  print the explanation as JSON

Example: portcullis explain --policy policy.json -X GET http://api.example.com/orders/7

Exit code: 0 the request passes, 1 it is blocked or the policy is bad, 2 usage.`,

  async run(args, terminal): Promise<ExitCode> {
    const { values, positionals } = parseOptions(args, {
      policy: { type: 'string' },
      request: { type: 'string', short: 'X', default: 'GET' },
      header: { type: 'string', short: 'H', multiple: true, default: [] },
      token: { type: 'string' },
      ip: { type: 'string' },
      at: { type: 'string' },
      json: { type: 'boolean' },
    })
    const [url] = positionals
    if (values.policy === undefined) throw new UsageError('expected --policy FILE')
    if (url === undefined || positionals.length > 1) throw new UsageError('expected one URL')
    const bearer = values.token === undefined ? [] : [`Authorization: Bearer ${values.token}`]
    const headers = [...values.header, ...bearer].map(headerOf)
    if (values.ip !== undefined && isIP(values.ip) === 0)
      throw new UsageError(`expected an address of a client, found '${values.ip}'`)
    const request = requestOf(url, values.request, headers, values.ip)
    const now = timeOf(values.at)
    const { policy } = values
    try {
      const gate = createGate(await readPolicyFile(policy), {
        crypto: nodeCrypto(),
        now,
        explanation,
      })
      const explained = gate.explain(request)
      if (values.json) terminal.out(JSON.stringify(explained, null, 2))
      else printExplanation(explained, terminal)
      return explained.decision.action === 'block' ? 1 : 0
    } catch (cause) {
      for (const issue of faultsOf(cause)) printIssue(terminal, policy, 'error', issue)
      return 1
    }
  },
}

function headerOf(line: string): readonly [string, string] {
  const colon = line.indexOf(':')
  if (colon < 1) throw new UsageError(`expected a header as 'Name: value', found '${line}'`)
  return [line.slice(0, colon).trim(), line.slice(colon + 1).trim()]
}

function requestOf(
  url: string,
  method: string,
  headers: readonly (readonly [string, string])[],
  ip: string | undefined,
): GateRequest {
  const [, scheme = '', host = '', target = '/'] = /^(https?):\/\/([^/?#]+)([^#]*)/i.exec(url) ?? []
  if (scheme === '') throw new UsageError(`expected a URL with http or https, found '${url}'`)
  const find = (name: string) => headers.find(([each]) => each.toLowerCase() === name)?.[1]
  return {
    method,
    host: find('host') ?? host,
    // Not through a URL parser: the path is judged as it would be sent.
    target: target.startsWith('/') ? target : `/${target}`,
    secure: scheme.toLowerCase() === 'https',
    httpVersion: 'HTTP/1.1',
    ...(ip !== undefined && { ip }),
    header: find,
    headers: () => headers,
  }
}

function timeOf(at: string | undefined): () => number {
  if (at === undefined) return Date.now
  const time = /^\d+(\.\d+)?$/.test(at) ? Number(at) * 1000 : Date.parse(at)
  if (Number.isNaN(time)) throw new UsageError(`expected a time, found '${at}'`)
  return () => time
}
