import { describe, expect, test } from 'vitest'
import { makeKey } from '../../edge/token/keys.js'
import { postgres, sqlite, useDatabases } from '../databases.js'
import { createKeySetStage } from './key-set-stage.js'

const one = makeKey('ES256', 'one').jwk
const two = makeKey('ES256', 'two').jwk
const DAY = 86_400_000

useDatabases(sqlite, postgres)

describe.each([sqlite, postgres])('on $name', (kind) => {
  test('a set that is due is fetched by one of several managements, and all have its keys', async () => {
    const db = await kind.fresh()
    const [first, other] = [await createKeySetStage(db), await createKeySetStage(db)]
    const { issuer } = first
    issuer.publish([one], { etag: '"1"', 'last-modified': 'Sat, 31 Jan 2026 12:00:00 GMT' })
    const id = String((await first.create()).json.result['id'])
    for (const keys of [[one, two], [two]]) {
      issuer.publish(keys)
      const asked = issuer.asked.length
      for (const each of [first, other]) each.pass(DAY)
      const names = keys.map(({ kid }) => `ES256 ${String(kid)}`)
      await expect.poll(() => other.inForce()).toEqual(names)
      for (const each of [first, other]) each.pass(0)
      expect(await first.inForce()).toEqual(names)
      expect(issuer.asked).toHaveLength(asked + 1)
    }
    issuer.answer = { status: 503 }
    for (const each of [first, other]) each.pass(DAY)
    const last_error = { code: 'bad_status', message: 'the answer has the status 503' }
    await expect.poll(() => other.status(id)).toMatchObject({ failures: 1, last_error })
    expect(await other.status(id)).toMatchObject({ keys: [two], last_change: { added: [] } })
    expect([...first.stage.faults, ...other.stage.faults]).toEqual([])
  })
})
