import { cookie, header, many } from './bodies.js'

/** Values of a member that are no text, and those that no database keeps. */
const NO_TEXT = [null, 1, true, [], {}, 'a\0b', '\ud800']

/** The rows of members that may be changed, when they are made and afterwards. */
export const MEMBER_ROWS = {
  description: {
    made: '2.2 description, 4.1 POST config description',
    changed: '2.2 description, 4.1 PATCH config/{config_id} description',
  },
  title: {
    made: '2.2 title, 4.1 POST config title',
    changed: '2.2 title, 4.1 PATCH config/{config_id} title',
  },
  token_sources: {
    made: '2.2 token_sources, 4.1 POST config token_sources',
    changed: '2.2 token_sources, 4.1 PATCH config/{config_id} token_sources',
  },
} as const
type Member = keyof typeof MEMBER_ROWS

/** Values that are taken and answered as they are. */
export const TAKEN: readonly (readonly [member: Member, values: readonly unknown[]])[] = [
  ['description', ['', 'x', 'a\nb', '<b>&"\'', '😀'.repeat(500)]],
  ['title', ['', 'x', 'a\nb', '<b>&"\'', '😀'.repeat(50)]],
  [
    'token_sources',
    [
      [header('authorization')],
      [cookie('session')],
      [header('b'), cookie('a'), header('a'), cookie('b')],
      [cookie('a'), cookie('A')],
      [cookie('with space')],
    ],
  ],
]

/** Values that are refused, with which code, and where the pointer leads. */
export const REFUSED: readonly (readonly [
  member: Member,
  values: readonly unknown[],
  code: number,
  pointer: string,
])[] = [
  ['description', [...NO_TEXT, 'x'.repeat(501)], 10422, '/description'],
  ['title', [...NO_TEXT, 'x'.repeat(51)], 10422, '/title'],
  [
    'token_sources',
    [null, 1, {}, header('a'), [], many(5, (at) => header(`${at}`))],
    10422,
    '/token_sources',
  ],
  ['token_sources', [[1], [null], [[header('a')]]], 10422, '/token_sources/0'],
  [
    'token_sources',
    [
      [''],
      ['authorization'],
      ['http.host'],
      ['http.request.uri.args["access_token"][0]'],
      ['http.request.body.form["t"][0]'],
      ['http.request.headers["a"]'],
      ['http.request.headers["a"][1]'],
      ['http.request.headers["a"][-1]'],
      ['http.request.headers["a"][*]'],
      ['http.request.headers[""][0]'],
      ['http.request.headers["a b"][0]'],
      ['http.request.headers["é"][0]'],
      ['http.request.headers["a:"][0]'],
      ['http.request.cookies[""][0]'],
      ['http.request.cookies["a"][1]'],
      ['lower(http.request.headers["a"][0])'],
      ['http.request.headers["a"][0] eq "x"'],
    ],
    110201,
    '/token_sources/0',
  ],
  [
    'token_sources',
    [
      [header('a'), header('a')],
      [header('a'), header('A')],
      [cookie('a'), cookie('a')],
    ],
    110201,
    '/token_sources/1',
  ],
]
