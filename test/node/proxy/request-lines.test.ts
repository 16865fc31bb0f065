import type { IncomingMessage } from 'node:http'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { trusts } from '../../../src/node/proxy/peers.js'
import { receive, type Received } from '../../../src/node/proxy/received.js'
import { requestLines, viaOf } from '../../../src/node/proxy/request-lines.js'

const CROSSING = { ray: '00112233445566ff', via: viaOf('gate'), preserveHost: true }

type Lines = readonly (readonly [string, string])[]

interface From {
  readonly remote?: string
  readonly encrypted?: boolean
  readonly trust?: readonly string[]
}

function received(lines: Lines, { remote = '192.0.2.1', encrypted, trust }: From = {}): Received {
  const message = {
    method: 'GET',
    url: '/',
    httpVersion: '1.1',
    httpVersionMinor: 1,
    rawHeaders: [['Host', 'shop.example'], ...lines].flat(),
    socket: { remoteAddress: remote, ...(encrypted && { encrypted }) },
  } as unknown as IncomingMessage
  return receive(message, trusts(trust ?? false)) as Received
}

/** What goes upstream, as pairs in lower case and order. */
function sent(
  lines: Lines,
  from?: From,
  edits = null as Parameters<typeof requestLines>[1],
): Lines {
  const flat = requestLines(received(lines, from), edits, CROSSING)
  return flat.flatMap((name, at) =>
    at % 2 === 0 ? [[name.toLowerCase(), flat[at + 1] ?? ''] as const] : [],
  )
}

const valueOf = (pairs: Lines, name: string) =>
  pairs.filter(([other]) => other === name).map(([, value]) => value)

const OWN = [
  'forwarded',
  'x-forwarded-for',
  'x-forwarded-proto',
  'x-forwarded-host',
  'via',
  'cf-ray',
]

/** What is left of the client's lines, besides Host. */
const kept = (lines: Lines, from?: From) =>
  sent(lines, from).filter(([name]) => name !== 'host' && !OWN.includes(name))

test.each<[string, Lines]>([
  ['Connection', [['Connection', 'keep-alive']]],
  ['Keep-Alive', [['Keep-Alive', 'timeout=5']]],
  ['Transfer-Encoding', [['Transfer-Encoding', 'chunked']]],
  ['Trailer', [['Trailer', 'x-sum']]],
  ['Upgrade', [['Upgrade', 'h2c']]],
  ['HTTP2-Settings', [['HTTP2-Settings', 'AAMAAABkAAQ']]],
  ['TE', [['TE', 'gzip']]],
  ['Expect', [['Expect', '100-continue']]],
  ['Proxy-Connection', [['Proxy-Connection', 'keep-alive']]],
  ['Proxy-Authorization', [['Proxy-Authorization', 'Basic eDp5']]],
  ['Proxy', [['Proxy', 'http://evil.example']]],
  ['Transfer_Encoding', [['Transfer_Encoding', 'chunked']]],
  ['Keep_Alive', [['Keep_Alive', 'timeout=5']]],
  ['Proxy_Authorization', [['Proxy_Authorization', 'Basic eDp5']]],
  ['Proxy.Connection', [['Proxy.Connection', 'keep-alive']]],
  ['a length spelt with an underscore', [['Content_Length', '7']]],
  [
    'what Connection lists, in another spelling',
    [
      ['Connection', 'close, x-one-a'],
      ['X_One.a', '1'],
    ],
  ],
  [
    'what Connection lists',
    [
      ['Connection', 'close, X-One , ,x-TWO'],
      ['X-One', '1'],
      ['x-two', '2'],
    ],
  ],
  [
    'what a second Connection lists',
    [
      ['Connection', 'close'],
      ['connection', 'x-one'],
      ['X-One', '1'],
    ],
  ],
])('%s stays on this connection', (_what, lines) => {
  expect(kept(lines)).toEqual([])
})

test('TE: trailers is sent on', () => {
  expect(kept([['TE', 'gzip;q=0.5, trailers']])).toEqual([['te', 'trailers']])
})

test.each(['authorization', 'cookie', 'content-type', 'content-length', 'content-encoding'])(
  'Connection cannot take %s away from what was judged',
  (name) => {
    expect(
      kept([
        ['Connection', `close, ${name}`],
        [name, '1'],
      ]),
    ).toEqual([[name, '1']])
  },
)

test('Connection can take away neither Host nor Via nor what this proxy writes', () => {
  const pairs = sent([
    ['Connection', 'host, via, x-forwarded-for, forwarded, cf-ray'],
    ['Via', '1.0 a'],
  ])
  expect(valueOf(pairs, 'host')).toEqual(['shop.example'])
  expect(valueOf(pairs, 'via')).toEqual(['1.0 a', '1.1 gate'])
  for (const name of OWN) expect(valueOf(pairs, name)).not.toEqual([])
})

const CLAIMS = [
  'X-Forwarded-For',
  'X-Forwarded-Host',
  'X-Forwarded-Proto',
  'X-Forwarded-Port',
  'X-Forwarded-Prefix',
  'Forwarded',
  'X-Real-IP',
  'X-Client-IP',
  'True-Client-IP',
  'CF-Connecting-IP',
  'CF-Ray',
  'X-Original-URL',
  'X-HTTP-Method-Override',
  'X-HTTP-Method',
  'X-Method-Override',
  'X-Rewrite-URL',
  'X-Original-Method',
  'X-Forwarded-Client-Cert',
  'X-Forwarded-Email',
]

test.each(CLAIMS)('%s of a stranger is discarded, with underscores or dots too', (name) => {
  const spellings = [name.toLowerCase(), name.replaceAll('-', '_'), name.replaceAll('-', '.')]
  const lines = [name, ...spellings].map((each) => [each, '6.6.6.6'] as const)
  expect(sent(lines).flat()).not.toContain('6.6.6.6')
})

test('a stranger is described by its connection alone', () => {
  const pairs = sent([
    ['X-Forwarded-For', '6.6.6.6'],
    ['X-Forwarded-Proto', 'https'],
  ])
  expect(pairs.filter(([name]) => OWN.includes(name))).toEqual([
    ['forwarded', 'for=192.0.2.1;host=shop.example;proto=http'],
    ['x-forwarded-for', '192.0.2.1'],
    ['x-forwarded-proto', 'http'],
    ['x-forwarded-host', 'shop.example'],
    ['via', '1.1 gate'],
    ['cf-ray', '00112233445566ff'],
  ])
})

const NEAR: From = { remote: '10.0.0.1', trust: ['10.0.0.0/8', 'fd00::/8'] }

test.each<[string, Lines, From, string, string]>([
  ['no chain', [], NEAR, '10.0.0.1', '10.0.0.1'],
  [
    'a client',
    [['X-Forwarded-For', '198.51.100.7']],
    NEAR,
    '198.51.100.7',
    '198.51.100.7, 10.0.0.1',
  ],
  [
    'a client behind trusted proxies',
    [
      ['X-Forwarded-For', '198.51.100.7, 10.0.0.9'],
      ['x-forwarded-for', 'fd00::1'],
    ],
    NEAR,
    '198.51.100.7',
    '198.51.100.7, 10.0.0.9, fd00::1, 10.0.0.1',
  ],
  [
    'a client that lies',
    [['X-Forwarded-For', '10.0.0.2, 198.51.100.7']],
    NEAR,
    '198.51.100.7',
    '10.0.0.2, 198.51.100.7, 10.0.0.1',
  ],
  [
    'a port',
    [['X-Forwarded-For', '198.51.100.7:1234']],
    NEAR,
    '198.51.100.7',
    '198.51.100.7:1234, 10.0.0.1',
  ],
  [
    'brackets',
    [['X-Forwarded-For', '[2001:db8::7]:1234']],
    NEAR,
    '2001:db8::7',
    '[2001:db8::7]:1234, 10.0.0.1',
  ],
  [
    'nonsense',
    [['X-Forwarded-For', '198.51.100.7, unknown']],
    NEAR,
    '10.0.0.1',
    '198.51.100.7, unknown, 10.0.0.1',
  ],
  [
    'an IPv6-mapped peer',
    [['X-Forwarded-For', '198.51.100.7']],
    { ...NEAR, remote: '::ffff:10.0.0.1' },
    '198.51.100.7',
    '198.51.100.7, 10.0.0.1',
  ],
  [
    'a peer outside the networks',
    [['X-Forwarded-For', '198.51.100.7']],
    { ...NEAR, remote: '11.0.0.1' },
    '11.0.0.1',
    '11.0.0.1',
  ],
])('with %s the client and the chain are found', (_what, lines, from, ip, chain) => {
  expect(received(lines, from).ip).toBe(ip)
  expect(valueOf(sent(lines, from), 'x-forwarded-for')).toEqual([chain])
})

test('each request has its own chain, whoever came before', () => {
  const of = (remote: string) => valueOf(sent([], { remote }), 'forwarded')[0]?.split(';')[0]
  const remotes = ['192.0.2.1', '192.0.2.1', '2001:db8::7', '192.0.2.1', '']
  expect(remotes.map(of)).toEqual([
    'for=192.0.2.1',
    'for=192.0.2.1',
    'for="[2001:db8::7]"',
    'for=192.0.2.1',
    'for=unknown',
  ])
})

test('Forwarded is written from the chain, whatever a trusted peer let through', () => {
  const lines: Lines = [
    ['X-Forwarded-For', '2001:db8::7, _hidden'],
    ['X-Forwarded-Proto', 'https'],
    ['X-Forwarded-Host', 'www.shop.example:8443'],
    ['Forwarded', 'for=6.6.6.6'],
    ['X-Real-IP', '198.51.100.7'],
  ]
  const pairs = sent(lines, NEAR)
  expect(valueOf(pairs, 'forwarded')).toEqual([
    'for="[2001:db8::7]", for=unknown, for=10.0.0.1;host="www.shop.example:8443";proto=https',
  ])
  expect(valueOf(pairs, 'x-forwarded-proto')).toEqual(['https'])
  expect(valueOf(pairs, 'x-real-ip')).toEqual(['198.51.100.7'])
  expect(received(lines, NEAR).secure).toBe(true)
})

test('a connection with TLS is https', () => {
  expect(received([], { encrypted: true }).secure).toBe(true)
  expect(valueOf(sent([], { encrypted: true }), 'x-forwarded-proto')).toEqual(['https'])
})

test.each(['10.0.0.0/33', 'shop.example', '10.0.0.0/x', '', '::/129'])(
  'the network %j is a mistake of the operator',
  (network) => {
    expect(() => trusts([network])).toThrow(TypeError)
  },
)

test('edits remove, replace and add; a name with underscores or dots goes with its twin', () => {
  const lines: Lines = [
    ['X-User', 'forged'],
    ['x_user', 'forged'],
    ['X.User', 'forged'],
    ['X-Token', 'secret'],
    ['Cookie', 'token=secret; a=1'],
    ['Cookie', 'b=2'],
    ['X-Other', '1'],
  ]
  const edits = { remove: ['x-token'], set: [['X-User', 'ann']], cookie: 'a=1; b=2' } as const
  expect(sent(lines, {}, edits).filter(([name]) => name !== 'host' && !OWN.includes(name))).toEqual(
    [
      ['x-other', '1'],
      ['x-user', 'ann'],
      ['cookie', 'a=1; b=2'],
    ],
  )
  expect(valueOf(sent(lines, {}, { ...edits, cookie: null }), 'cookie')).toEqual([])
  expect(valueOf(sent(lines, {}, { ...edits, cookie: undefined }), 'cookie')).toHaveLength(2)
})

test('a value can never become a line of its own in Forwarded', () => {
  const lines: Lines = [['X-Forwarded-Host', 'a";for="6.6.6.6']]
  expect(valueOf(sent(lines, NEAR), 'forwarded')).toEqual([
    'for=10.0.0.1;host="a\\";for=\\"6.6.6.6";proto=http',
  ])
})

test('whatever a stranger sends, upstream gets one address and no header of the connection', () => {
  const name = fc.constantFrom(
    ...CLAIMS,
    'Connection',
    'TE',
    'Upgrade',
    'Keep-Alive',
    'Cookie',
    'X-A',
  )
  const spelt = fc.tuple(name, fc.boolean(), fc.boolean()).map(([text, lower, under]) => {
    const cased = lower ? text.toLowerCase() : text
    return under ? cased.replaceAll('-', '_') : cased
  })
  const value = fc.constantFrom(
    'x-forwarded-for',
    'close',
    'cookie, host',
    '6.6.6.6',
    'trailers',
    '',
  )
  fc.assert(
    fc.property(fc.array(fc.tuple(spelt, value)), (lines) => {
      const pairs = sent(lines)
      expect(valueOf(pairs, 'x-forwarded-for')).toEqual(['192.0.2.1'])
      expect(valueOf(pairs, 'host')).toEqual(['shop.example'])
      expect(
        pairs.filter(([each]) => ['connection', 'upgrade', 'keep-alive'].includes(each)),
      ).toEqual([])
      expect(valueOf(pairs, 'cookie')).toHaveLength(
        lines.filter(([each]) => each.toLowerCase() === 'cookie').length,
      )
    }),
  )
})

test.each(['1.1', '1.0'])('Via tells that the client spoke HTTP/%s', (version) => {
  expect(viaOf('gate')(version)).toBe(`${version} gate`)
})
