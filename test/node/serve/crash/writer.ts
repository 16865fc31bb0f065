import { Agent, request } from 'node:http'
import { dice, secretOf, type Kind, type Ledger, type State, type Thing } from './ledger.js'

/** Where the API is: a promise while the process is down, undefined at the end. */
export type Origin = () => Promise<string | undefined>

interface Answer {
  readonly status: number
  readonly requestId: string
  readonly result: { readonly id?: string; readonly operation_id?: string }
}

const PATHS: Readonly<Record<Kind, string>> = {
  rule: 'token_validation/rules',
  token_configuration: 'token_validation/config',
  operation: 'api_gateway/operations',
}

/** How many objects a writer keeps at a time. */
const KEPT = 6
const SOURCES = ['http.request.headers["authorization"][0]']

/** Changes objects of its own in one zone, call after call, and keeps a ledger, until the end. */
export async function write(
  { at, zone, host, token }: { at: number; zone: string; host: string; token: string },
  origin: Origin,
  ledger: Ledger,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const random = dice(at + 1)
  const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!
  let own: Thing[] = []
  let marks = 0

  function call(base: string, method: string, path: string, body?: unknown): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const sent = request(`${base}/client/v4/zones/${zone}/${path}`, {
        agent,
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
      })
      sent.once('error', reject)
      sent.once('response', (answer) => {
        if (sent.reusedSocket) ledger.reused++
        let text = ''
        answer.setEncoding('utf8').on('data', (part: string) => (text += part))
        answer.once('error', reject).once('end', () => {
          const requestId = String(answer.headers['x-request-id'])
          resolve({ status: answer.statusCode ?? 0, requestId, result: JSON.parse(text).result })
        })
      })
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  }

  /** Asks for a step of a thing. Without an answer nobody knows, and the thing is let alone. */
  async function step(
    thing: Thing,
    after: State,
    refusal: number | undefined,
    ask: () => Promise<Answer>,
  ): Promise<void> {
    const asked: Thing['steps'][number] = { after }
    thing.steps.push(asked)
    let answer: Answer
    try {
      answer = await ask()
    } catch {
      ledger.unanswered++
      own = own.filter((each) => each !== thing)
      return
    }
    if (answer.status === 200) {
      ledger.acknowledged++
      asked.requestId = answer.requestId
      thing.id ??= answer.result.id ?? answer.result.operation_id
    } else {
      thing.steps.pop()
      if (answer.status !== refusal)
        ledger.surprises.push(`${thing.kind} ${answer.status} ${JSON.stringify(after)}`)
    }
    own = own.filter((each) => each.steps.at(-1)?.after !== undefined)
  }

  const configuration = () => own.find(({ kind }) => kind === 'token_configuration')?.id
  const keys = (mark: string) => [{ kty: 'oct', alg: 'HS256', kid: mark, k: secretOf(mark) }]
  const ruleOf = (mark: string) => ({
    title: mark,
    action: pick(['log', 'block']),
    expression: configuration() === undefined ? 'ssl' : `is_jwt_valid("${configuration()}")`,
  })

  async function create(base: string, mark: string): Promise<void> {
    const kinds: readonly Kind[] = ['rule', 'operation', 'token_configuration']
    const kind = pick(configuration() === undefined ? kinds : kinds.slice(0, 2))
    const thing: Thing = { kind, zone, id: undefined, steps: [] }
    ledger.things.push(thing)
    own.push(thing)
    if (kind === 'rule') {
      const rule = ruleOf(mark)
      await step(thing, rule, undefined, () =>
        call(base, 'POST', PATHS.rule, { ...rule, position: { index: 1 } }),
      )
    } else if (kind === 'operation')
      await step(thing, { endpoint: `/${mark}` }, undefined, () =>
        call(base, 'POST', `${PATHS.operation}/item`, {
          method: 'GET',
          host,
          endpoint: `/${mark}`,
        }),
      )
    else
      // A zone has room for 32 of them.
      await step(thing, { title: mark, kid: mark }, 400, () =>
        call(base, 'POST', PATHS.token_configuration, {
          title: mark,
          description: '',
          token_type: 'JWT',
          token_sources: SOURCES,
          credentials: { keys: keys(mark) },
        }),
      )
  }

  async function change(base: string, thing: Thing, mark: string): Promise<void> {
    const path = `${PATHS[thing.kind]}/${thing.id}`
    const before = thing.steps.at(-1)?.after
    if (thing.kind === 'operation' || random() < 0.2)
      // What a rule names is not deleted.
      await step(thing, undefined, thing.kind === 'token_configuration' ? 409 : undefined, () =>
        call(base, 'DELETE', path),
      )
    else if (thing.kind === 'rule') {
      const rule = ruleOf(mark)
      const index = 1 + Math.floor(random() * 3)
      await step(thing, rule, undefined, () =>
        call(base, 'PATCH', path, { ...rule, ...(random() < 0.3 && { position: { index } }) }),
      )
    } else if (random() < 0.5)
      await step(thing, { ...before, title: mark }, undefined, () =>
        call(base, 'PATCH', path, { title: mark }),
      )
    else
      await step(thing, { ...before, kid: mark }, undefined, () =>
        call(base, 'PUT', `${path}/credentials`, { keys: keys(mark) }),
      )
  }

  for (let base = await origin(); base !== undefined; base = await origin()) {
    const mark = `w${at}-${++marks}`
    if (own.length < 2 || (own.length < KEPT && random() < 0.4)) await create(base, mark)
    else await change(base, pick(own), mark)
  }
  agent.destroy()
}
