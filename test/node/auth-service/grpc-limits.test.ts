import { status, type ServiceError } from '@grpc/grpc-js'
import { connect, type Http2Session } from 'node:http2'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createGate, type Decision } from '../../../src/edge/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { call, check, clientOf, grpcStage, verdictOf } from './grpc-stage.js'
import { NOW, tokenOf, ZONE } from './stage.js'
import { encode, type Fields } from './wire.js'

/** The code of gRPC that a call fails with. */
const failure = (asked: Promise<unknown>): Promise<number | undefined> =>
  asked.then(
    () => undefined,
    ({ code }: ServiceError) => code,
  )

/** A request of some of its fields. */
const http = (...fields: Fields): Fields => [[1, [[4, [[2, fields]]]]]]

describe('a question over gRPC', () => {
  test.each<[string, Fields]>([
    ['nothing', []],
    ['attributes of no request', [[1, []]]],
    ['a request of another protocol', [[1, [[4, []]]]]],
    ['no method', http([4, '/health'], [5, 'shop.example'])],
    ['no path', http([2, 'GET'], [5, 'shop.example'])],
    ['no host', http([2, 'GET'], [4, '/health'])],
  ])('with %s is answered 403 and told to the operator', async (_, fields) => {
    const { port, faults, decisions } = await grpcStage()
    const verdict = verdictOf(await call(clientOf(port), encode(fields)))
    expect(verdict).toMatchObject({ code: status.PERMISSION_DENIED, status: 403 })
    expect(verdict.body).toContain('1020')
    expect(faults).toEqual(['missing_attribute'])
    expect(decisions).toEqual([])
  })

  test.each([
    ['a length beyond its end', Buffer.from([0x0a, 0x7f, 0x01])],
    ['a wrong type on the wire', Buffer.from([0x08, 0x01])],
    ['random bytes', Buffer.from('ff00fe01fd02fc03', 'hex')],
    ['groups without an end', Buffer.alloc(10_000, 0x0b)],
  ])('that cannot be read (%s) gets no permission', async (_, bytes) => {
    const { port, decisions } = await grpcStage()
    const client = clientOf(port)
    const outcome = await call(client, bytes).then(
      (reply) => verdictOf(reply).code,
      ({ code }: ServiceError) => code,
    )
    expect(outcome).not.toBe(status.OK)
    expect(decisions).toEqual([])
    expect(await check(client, { path: '/health' })).toMatchObject({ status: 200 })
  })

  test('may have its query, and what it should not have, in fields of their own', async () => {
    const { port, decisions } = await grpcStage()
    const line: Fields = [
      [2, 'GET'],
      [4, '/health'],
      [5, 'shop.example'],
    ]
    const asked = (...more: Fields) => call(clientOf(port), encode(http(...line, ...more)))
    expect(verdictOf(await asked([7, 'a=1']))).toMatchObject({ status: 200 })
    expect(decisions.map(({ target }) => target)).toEqual(['/health?a=1'])
    expect(verdictOf(await asked([8, '/orders']))).toMatchObject({ status: 400 })
  })

  test('for another service or another method is for nobody here', async () => {
    const { port } = await grpcStage()
    const whole = (bytes: Buffer) => bytes
    const other = new Promise<ServiceError | null>((resolve) => {
      const path = '/envoy.service.auth.v2.Authorization/Check'
      clientOf(port).makeUnaryRequest(path, whole, whole, Buffer.alloc(0), resolve)
    })
    expect(await other).toMatchObject({ code: status.UNIMPLEMENTED })
  })

  test('larger than a megabyte is not read', async () => {
    const { port, decisions } = await grpcStage()
    const asked = { path: '/health', headers: ['x-long', 'x'.repeat(1024 * 1024)] }
    expect(await failure(check(clientOf(port), asked))).toBe(status.RESOURCE_EXHAUSTED)
    expect(decisions).toEqual([])
  })

  test('may come with a thousand others and more on one connection, so many at a time', async () => {
    const { port, decisions } = await grpcStage()
    const client = clientOf(port)
    const asked = { path: '/orders', headers: ['authorization', `Bearer ${tokenOf('ada')}`] }
    const all = await Promise.all(Array.from({ length: 1500 }, () => check(client, asked)))
    expect(new Set(all.map((verdict) => verdict.status))).toEqual(new Set([200]))
    expect(decisions).toHaveLength(1500)
    const session = connect(`http://127.0.0.1:${port}`)
    onTestFinished(() => session.destroy())
    const settings = await new Promise<Parameters<Http2Session['settings']>[0]>((resolve) =>
      session.once('remoteSettings', resolve),
    )
    expect(settings.maxConcurrentStreams).toBe(1024)
  })

  test('of a peer that is not trusted is not heard: its connection ends', async () => {
    const { port, faults, decisions } = await grpcStage({ trustForwarded: ['192.0.2.1'] })
    expect(await failure(check(clientOf(port), { path: '/health' }))).toBe(status.UNAVAILABLE)
    expect(faults).toContain('untrusted_peer')
    expect(decisions).toEqual([])
  })

  test('that meets a gate that fails is no permission', async () => {
    const gate = { decide: () => Promise.reject(new Error('broken')) }
    const { port, faults } = await grpcStage({ gate })
    const verdict = await check(clientOf(port), { path: '/health' })
    expect(verdict).toMatchObject({ code: status.INTERNAL, status: 500 })
    expect(String(faults)).toContain('broken')
  })

  test('is refused when the header to send upstream has bytes that gRPC cannot carry', async () => {
    const [users] = ZONE.token_configurations ?? []
    const token_sources = ['http.request.cookies["session"][0]']
    const zone = {
      ...ZONE,
      settings: { strip_tokens: true },
      token_configurations: [{ ...users!, token_sources }],
    }
    const gate = createGate(zone, { crypto: nodeCrypto(), now: () => NOW * 1000 })
    const { port, faults } = await grpcStage({ gate })
    const headers = ['cookie', `a=\xff; session=${tokenOf('ada')}`]
    const verdict = await check(clientOf(port), { path: '/orders', headers, raw: true })
    expect(verdict).toMatchObject({ status: 400 })
    expect(faults).toEqual([])
  })
})

describe('a gRPC auth service that closes', () => {
  /** One whose gate answers when it is told to. */
  async function waiting() {
    let asked = () => {}
    let answer: (decision: Decision) => void = () => {}
    const heard = new Promise<void>((resolve) => (asked = resolve))
    const real = createGate(ZONE, { crypto: nodeCrypto(), now: () => NOW * 1000 })
    const decide = (request: Parameters<typeof real.decide>[0]) => {
      const decision = new Promise<Decision>((resolve) => (answer = resolve))
      asked()
      return decision.then(() => real.decide(request))
    }
    const { port, service } = await grpcStage({ gate: { decide } })
    const client = clientOf(port)
    const pending = check(client, { path: '/health' })
    await heard
    return { service, client, pending, answer: () => answer({} as Decision) }
  }

  test('answers what is under way, and takes nothing new', async () => {
    const { service, client, pending, answer } = await waiting()
    const closed = service.close(10_000)
    answer()
    expect(await pending).toMatchObject({ status: 200 })
    await closed
    expect(await failure(check(client, { path: '/health' }))).toBe(status.UNAVAILABLE)
  })

  test('ends what is not answered in time', async () => {
    const { service, pending } = await waiting()
    const outcome = failure(pending)
    await service.close(20)
    expect(await outcome).not.toBe(undefined)
  })
})
