/**
 * What is measured, in the order of the page. A suite `everywhere` runs on each runtime that has
 * Node's modules, the others on the one that runs the benchmark. The module of a suite has its name
 * and exports `run()`, which gives `{ rows, notes?, skipped?, runtime? }`: rows as `columns.mjs` knows
 * them, with a `group` where there are several tables, or the reason why there are none; and the
 * runtime where it was another one.
 */
export const SUITES = [
  {
    name: 'decide',
    everywhere: true,
    title: 'Whole decisions',
    about:
      'Request in, decision out, every header line a string never seen before. Warm: the token was met before; fast-jwt’s cache goes by a hash of the token unless it is told to go by the token itself. Cold: the gate has a cache and finds no token in it. The floors check the signature alone, everything decoded beforehand: by `createHmac` and `verify`, and where a runtime has quicker calls for the same, by these (HMAC as two hashes, on Bun as one made ready with the key, RSA as what the public key makes of the signature).',
  },
  {
    name: 'workerd',
    title: 'Decisions in workerd',
    about:
      'The engine as a worker bundles it, with the cryptography of `portcullis/crypto`, and with none named as the gate without options. CPU time of the workerd process, counted from outside.',
  },
  {
    name: 'verify',
    everywhere: true,
    title: 'Tokens never seen before',
    about:
      'Verification alone, without any cache, beside the bare check of the signature and peers in the shape that suits each best: keys imported once, the quickest call. Everyone reads the clock and checks signature, `exp` and `nbf`. Peers parse the claims of each token, portcullis when they are read, which a row of good tokens does: where peers are compared, both count. The floors are those of whole decisions: ratios are against `createHmac` and `verify`, and quicker calls have a row of their own where a runtime has any.',
  },
  {
    name: 'webcrypto',
    everywhere: true,
    title: 'With WebCrypto',
    about:
      'Where the engine is not given Node’s cryptography: every verification is waited for, one at a time.',
  },
  {
    name: 'rejects',
    everywhere: true,
    title: 'Tokens refused before their signature is looked at',
    about:
      'ES256. Peers say no by throwing. With one key, as elsewhere here, most ask for no `kid`: against unknown ones, whose signature is good, each looks its key up as its documentation says. Most check the signature before they look at `exp`. Every row makes its string anew, which is most of what a refusal of 17 kB takes: what that is alone, and what it is with the characters read once and nothing done with them, stands first.',
  },
  {
    name: 'cache',
    everywhere: true,
    title: 'Tokens met again',
    about: 'Verification alone, 1,000 live ES256 tokens, each time in a string never seen before.',
  },
  {
    name: 'flood',
    title: 'A flood of bad tokens',
    about:
      'What distinct bad tokens do to 1,000 good ones that are asked for all the while, in two processes: an engine alone as V8 runs it by itself, and what a gate process loads, with the small young generation that it is started with. Memory is first read after 20,000 bad tokens, when their code is compiled, and a collection of all garbage; then after every 1,000 tokens, garbage included. V8 lets garbage gather up to a multiple of what a process holds.',
  },
  { name: 'memory', title: 'Memory', about: 'Heap per piece, after collection of garbage.' },
  {
    name: 'auth',
    title: 'The auth service over HTTP',
    about: 'CPU time of the answering process per question, 1,000 live ES256 tokens.',
  },
  {
    name: 'grpc',
    title: 'The auth service over gRPC',
    about:
      'Envoy’s `ext_authz`, CPU time of the answering process per question, 1,000 live ES256 tokens. The bare server does not read the question.',
  },
  {
    name: 'http',
    title: 'Beside servers written in C',
    about:
      'CPU time of the server per request. HAProxy checks every signature anew; the gate remembers 1,000 live tokens, and in the row “each token new” has to check as well, as has bare Node with `node:crypto`, which looks at nothing but the signature.',
  },
  {
    name: 'proxy',
    title: 'The reverse proxy',
    about:
      'CPU time of the proxying process per request, answers of 1 KiB. All requests carry one of 1,000 live ES256 tokens, which a zone without rules does not look at.',
  },
  { name: 'expression', title: 'The Rules language', about: 'Compiling, evaluating, matching.' },
  { name: 'negotiate', title: 'Negotiation and rendering', about: 'A browser’s `Accept` header.' },
  {
    name: 'follow',
    title: 'From a saved change to decisions by it',
    about: 'Management and gate in processes of their own.',
  },
  {
    name: 'compile',
    title: 'Compiling a large zone',
    about: '1,000 rules, 10,000 operations, 32 token configurations.',
  },
  {
    name: 'save',
    title: 'Saving into a large zone',
    about: 'The same zone, through the API, while a client keeps asking the gate.',
  },
  { name: 'lists', title: 'Pages of long lists', about: 'At 1,000 and at 100,000 rows.' },
]
