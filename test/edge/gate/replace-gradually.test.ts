import { describe, expect, test } from 'vitest'
import { createGate, PolicyError, type Gate, type Zone } from '../../../src/edge/index.js'
import type { CryptoBackend } from '../../../src/edge/token/index.js'
import { nodeCrypto } from '../../../src/node/crypto.js'
import { ask, bearer, gateOf, NOW, RULE, VALID, zone } from './zone-fixture.js'

const OPEN = zone({ rules: [] })
const OTHER = zone({ id: 'other', name: 'example.org', operations: [] })
const BAD = zone({ rules: [{ ...RULE, expression: 'nope' }] })

/** A pause that lasts until it is ended, piece after piece. */
function stepwise() {
  const waiting: (() => void)[] = []
  return {
    pause: () => new Promise<void>((resolve) => waiting.push(resolve)),
    /** Lets everything be done that is under way. */
    async finish(...work: Promise<unknown>[]) {
      const done = new AbortController()
      void Promise.allSettled(work).then(() => done.abort())
      while (!done.signal.aborted) {
        for (const go of waiting.splice(0)) go()
        await Promise.resolve()
      }
    },
  }
}

const never = () => undefined

describe('replacing a policy gradually', () => {
  test('the running policy decides until the last piece is done', async () => {
    const gate = gateOf(zone())
    let pieces = 0
    const done = await gate.replaceGradually(OPEN, () => {
      pieces++
      expect(gate.epoch).toBe(1)
      expect(gate.decide(ask())).toMatchObject({ action: 'block', epoch: 1 })
      return pieces % 2 === 0 ? Promise.resolve() : undefined
    })
    expect(pieces).toBeGreaterThan(1)
    expect([done, gate.epoch]).toEqual([true, 2])
    expect(gate.decide(ask())).toMatchObject({ action: 'pass', epoch: 2 })
  })

  test.each<[string, unknown]>([
    ['one zone', zone()],
    ['several zones', { zones: [zone(), OTHER] }],
    ['one with notices', { ...zone(), colour: 'red' }],
    ['one of the wrong shape', { id: 1, rules: [1, {}], operations: 'none' }],
    ['one with a bad expression', BAD],
    ['no object', null],
  ])('%s comes to the same as all at once', async (_what, policy) => {
    const outcome = async (replace: (gate: Gate<CryptoBackend<boolean>>) => unknown) => {
      const gate = gateOf(OPEN)
      const fault = await Promise.resolve()
        .then(() => replace(gate))
        .then(() => null)
        .catch((cause: unknown) => cause)
      expect(fault === null || fault instanceof PolicyError).toBe(true)
      const decided = gate.decide(ask({ lines: [bearer(VALID)] })).toJSON()
      const { epoch, notices, zones } = gate
      return { issues: fault && (fault as PolicyError).issues, decided, epoch, notices, zones }
    }
    expect(await outcome((gate) => gate.replaceGradually(policy, never))).toEqual(
      await outcome((gate) => gate.replace(policy)),
    )
  })

  test('of two under way the one that was asked for last wins, whichever is done first', async () => {
    const { pause, finish } = stepwise()
    const gate = gateOf(zone())
    const first = gate.replaceGradually(OTHER, pause)
    const second = gate.replaceGradually(OPEN, never)
    expect(await second).toBe(true)
    await finish(first)
    expect(await first).toBe(false)
    expect([gate.zones, gate.epoch]).toEqual([[OPEN], 2])
  })

  test('one that is done before a later one is in force until then', async () => {
    const { pause, finish } = stepwise()
    const gate = gateOf(zone())
    const first = gate.replaceGradually(OTHER, never)
    const second = gate.replaceGradually(OPEN, pause)
    expect(await first).toBe(true)
    expect(gate.zones).toEqual([OTHER])
    await finish(second)
    expect([await second, gate.zones, gate.epoch]).toEqual([true, [OPEN], 3])
  })

  test('what replaces all at once overtakes it too', async () => {
    const { pause, finish } = stepwise()
    const gate = gateOf(zone())
    const slow = gate.replaceGradually(OTHER, pause)
    gate.replace(OPEN)
    await finish(slow)
    expect([await slow, gate.zones]).toEqual([false, [OPEN]])
  })

  test('a later one that is refused keeps an earlier one from nothing', async () => {
    const { pause, finish } = stepwise()
    const gate = gateOf(zone())
    const slow = gate.replaceGradually(OTHER, pause)
    await expect(gate.replaceGradually(BAD, never)).rejects.toThrow(PolicyError)
    await finish(slow)
    expect([await slow, gate.zones, gate.epoch]).toEqual([true, [OTHER], 2])
  })
})

describe('a frozen zone that is in force already', () => {
  const frozen = (from: Zone): Zone => Object.freeze({ ...from })

  /** Counts the keys taken in, and the zones looked into. */
  function counted(policy: unknown) {
    const reads: string[] = []
    const crypto = nodeCrypto()
    const importKey: typeof crypto.importKey = (key) => {
      reads.push('key')
      return crypto.importKey(key)
    }
    const gate = createGate(policy, { crypto: { ...crypto, importKey }, now: () => NOW })
    return { gate, reads }
  }

  /** A zone whose operations tell when they are read. */
  function watched(id: string, reads: string[]): Zone {
    const operations = new Proxy<NonNullable<Zone['operations']>>([], {
      get(target, name, receiver) {
        if (name === 'entries') reads.push(id)
        return Reflect.get(target, name, receiver) as unknown
      },
    })
    return frozen(zone({ id, name: `${id}.example`, rules: [], operations }))
  }

  test('is not compiled again for the change of another', () => {
    const reads: string[] = []
    const one = watched('one', reads)
    const { gate } = counted({ zones: [one, OTHER] })
    reads.length = 0
    gate.replace({ zones: [one, zone({ id: 'other', name: 'example.net', operations: [] })] })
    expect(reads).toEqual([])
    expect(gate.zones.map(({ name }) => name)).toEqual(['one.example', 'example.net'])
  })

  test('is compiled again at another place, and when it is not frozen', () => {
    const reads: string[] = []
    const one = watched('one', reads)
    const { gate } = counted({ zones: [one, OTHER] })
    reads.length = 0
    gate.replace({ zones: [OTHER, one] })
    expect(reads).not.toEqual([])
    const mutable = zone() as { rules: NonNullable<Zone['rules']> } & Zone
    gate.replace(mutable)
    mutable.rules = []
    gate.replace(mutable)
    expect(gate.decide(ask())).toMatchObject({ reason: 'not_covered' })
  })

  test('keeps its notices, its keys and its claim to its name', () => {
    const odd = frozen({ ...zone(), colour: 'red' } as Zone)
    const { gate, reads } = counted({ zones: [OTHER, odd] })
    const { notices } = gate
    expect(notices).toMatchObject([{ code: 'unknown_member', pointer: '/zones/1/colour' }])
    reads.length = 0
    for (const name of ['example.net', 'example.dev']) {
      gate.replace({ zones: [{ ...OTHER, name }, odd] })
      expect(gate.notices).toEqual(notices)
    }
    expect(reads).toEqual([])
    const same = { ...OTHER, name: odd.name }
    expect(() => gate.replace({ zones: [same, odd] })).toThrow(/a value of its own/)
  })
})
