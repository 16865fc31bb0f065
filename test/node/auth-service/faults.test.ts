import { expect, onTestFinished, test } from 'vitest'
import { printHooks } from '../../../src/node/cli/print-hooks.js'
import type { Terminal } from '../../../src/node/cli/terminal.js'
import type { GateMode } from '../../../src/node/gate-modes.js'
import { startGateServer } from '../../../src/node/gate-server.js'
import { ask, ZONE } from './stage.js'

const URI = ['X-Original-URI', '/health', 'X-Forwarded-Uri', '/health']
const FORWARDED = ['X-Forwarded-Host', 'shop.example', 'X-Forwarded-Method', 'GET']

test.each<[GateMode, readonly string[], readonly string[], string]>([
  [
    'auth-request',
    [],
    ['127.0.0.1'],
    'a header that --mode auth-request reads is missing or empty',
  ],
  [
    'forward-auth',
    [...URI, ...URI, ...FORWARDED],
    ['127.0.0.1'],
    'a header that --mode forward-auth reads is there twice',
  ],
  ['ext-authz', [], ['192.0.2.1'], 'that address is not in --trust'],
])(
  'the operator of --mode %s reads who asked in vain, and why (%j, trusted: %j)',
  async (mode, headers, trustForwarded, why) => {
    const said: string[] = []
    const terminal: Terminal = {
      out: () => undefined,
      err: (line) => void said.push(line),
      paint: (_, text) => text,
      colour: false,
      streams: process,
    }
    const hooks = printHooks(terminal, { all: false, quiet: false, json: false })
    const listen = { host: '127.0.0.1', port: 0 }
    const options = { policy: ZONE, mode, listen, trustForwarded, ...hooks }
    const server = await startGateServer(options)
    onTestFinished(() => server.close(0))
    const { status } = await ask(Number(new URL(server.url).port), { headers })
    expect(status).toBe(403)
    expect(said).toEqual([
      `portcullis: a question of 127.0.0.1 is refused: ${why} (see AUTH-SERVICE.md)`,
    ])
  },
)
