import { codeChapter, type CodeNote } from '../http/index.js'
import { CODES } from './codes.js'

const NOTES: Readonly<Record<keyof typeof CODES, CodeNote>> = {
  invalid_key: {
    title: 'A key is at fault',
    statuses: [400],
    meaning:
      'A key of the set is incomplete, of a wrong size or form, private, or there twice; or the set has none or too many.',
    expected:
      'JSON Web Keys with `alg`, `kid` and `kty`, RSA of 2048 bits or more, EC on the curve of its `alg`, secrets as long as their hash; `alg` and `kid` together only once.',
    remedy:
      'Correct the member that `source.pointer` leads to. Give public keys only: a private one that was sent should be replaced.',
  },
  invalid_source: {
    title: 'A token source is not one of the two forms',
    statuses: [400],
    meaning: 'An entry of `token_sources` is no place of a request, or stands there twice.',
    expected:
      '`http.request.headers["<name>"][0]` with a lower-case name, or `http.request.cookies["<name>"][0]`.',
    remedy: 'Write the entry as one of the two. The message shows the line with a caret.',
  },
  invalid_expression: {
    title: 'The expression does not compile',
    statuses: [400],
    meaning:
      'The expression of a rule has a fault of syntax, names an unknown field or function, or a token configuration that the zone does not have.',
    expected: 'An expression of the Rules language, of at most 4096 characters, true or false.',
    remedy:
      'Look at the line, column and caret of the message. The rule was not saved; the one in force goes on.',
  },
  invalid_selector: {
    title: 'The selector is at fault',
    statuses: [400],
    meaning: 'The selector of a rule names something that cannot be a host of the zone.',
    expected: 'Hosts of the zone, whole or with variables, in `include`; ids in `exclude`.',
    remedy: 'Correct the entry that `source.pointer` leads to.',
  },
  invalid_position: {
    title: 'The position is next to no rule',
    statuses: [400],
    meaning: 'The rule that `before` or `after` names is not there, or is the rule itself.',
    expected: 'The id of another rule of the same zone, or an `index` counted from 1.',
    remedy: 'List the rules of the zone, and name one of them.',
  },
  too_many: {
    title: 'The zone has as many as it can',
    statuses: [400],
    meaning: 'The zone has as many objects of this kind as a zone may have.',
    expected: 'At most as many as the message says.',
    remedy: 'Delete one that is not needed. One token configuration can hold several keys.',
  },
  in_use: {
    title: 'The token configuration is in use',
    statuses: [409],
    meaning:
      'Rules or headers made of claims name the token configuration, and would not work without it. There is a message for each.',
    expected: 'A token configuration that nothing names.',
    remedy: 'Change or delete each of the rules and headers listed, then delete it.',
  },
  invalid_setting: {
    title: 'A setting of the gate is at fault',
    statuses: [400],
    meaning: 'A setting or list is not valid, or the policy of the zone would not compile with it.',
    expected: 'Settings under which all rules of the zone compile.',
    remedy: 'Correct the place that `source.pointer` leads to. The settings in force go on.',
  },
  source_notice: {
    title: 'A token source may not do what it seems to',
    statuses: [200],
    meaning: 'The token source was saved; how it is written may surprise.',
    expected: 'A source in the spelling that gates use.',
    remedy: 'Read the message, and write the source as it says if that is meant.',
  },
  expression_notice: {
    title: 'An expression may not do what it seems to',
    statuses: [200],
    meaning:
      'The rule was saved; a part of its expression, shown with a caret, is likely a mistake.',
    expected: 'An expression without parts that do nothing or read in two ways.',
    remedy: 'Read the message, and rewrite that part if something else is meant.',
  },
  covers_nothing: {
    title: 'The rule covers no operation',
    statuses: [200],
    meaning: 'The rule was saved; no operation of the zone is selected by it now.',
    expected: 'A selector that at least one operation fits.',
    remedy:
      'Add the operations, name other hosts, or leave `include` out to cover all. The preview shows what a selector covers.',
  },
  never_applies: {
    title: 'The rule never applies',
    statuses: [200],
    meaning:
      'The first rule that covers an operation decides, and rules before this one cover all of its operations.',
    expected: 'At least one operation that no rule before covers.',
    remedy: 'Move the rule before them with `position`, or narrow the others down.',
  },
  exclude_without_effect: {
    title: 'An exclusion has no effect',
    statuses: [200],
    meaning: 'An excluded operation is not in the zone, or was not included in the first place.',
    expected: 'Ids of operations that the selector would cover otherwise.',
    remedy: 'Leave the id out, or correct it.',
  },
  always_true: {
    title: 'The expression is always true',
    statuses: [200],
    meaning: 'No request can fail the expression, so the rule does nothing.',
    expected: 'An expression that depends on the request or its token.',
    remedy: 'Correct the expression, or disable the rule if it should do nothing.',
  },
  always_false: {
    title: 'The expression is never true',
    statuses: [200],
    meaning: 'Every request fails the expression, so the rule acts on all that it covers.',
    expected: 'An expression that depends on the request or its token.',
    remedy: 'Correct the expression, unless everything that is covered should be refused.',
  },
  preflight_blocked: {
    title: 'Preflight requests of browsers are blocked',
    statuses: [200],
    meaning:
      'The rule blocks operations with the method OPTIONS that have no token, and browsers send none with a preflight.',
    expected: 'An expression that lets OPTIONS pass, or a selector without these operations.',
    remedy: 'Add `or http.request.method eq "OPTIONS"` to the expression, or exclude them.',
  },
  uncovered_operations: {
    title: 'Operations that no rule covers',
    statuses: [200],
    meaning: 'The zone has operations that no enabled rule covers: their requests pass unjudged.',
    expected: 'A rule for every operation that needs a token.',
    remedy: 'Add a last rule without `include`, if that is not intended.',
  },
  no_usable_key: {
    title: 'A token configuration without a key',
    statuses: [200],
    meaning:
      'The expression names a token configuration that has no key to verify with, because its issuer has not published any so far.',
    expected: 'A configuration with at least one key, of its own or of its issuer.',
    remedy: 'Look at the `key_set` of the configuration, or give it a key of its own.',
  },
}

/** Codes of token configurations, their rules, and the settings of gates. */
export const TOKEN_VALIDATION_CODES = codeChapter('Token validation', CODES, NOTES)
