import { codeChapter, type CodeNote } from '../http/index.js'
import { CODES } from './codes.js'

const NOTES: Readonly<Record<keyof typeof CODES, CodeNote>> = {
  no_entry_point: {
    title: 'The phase has no ruleset',
    statuses: [404],
    meaning: 'The zone has no custom error rules so far.',
    expected: 'A ruleset made before.',
    remedy: 'Make it with `PUT` at the same address; an empty list of rules will do.',
  },
  invalid_expression: {
    title: 'The expression of an error rule does not compile',
    statuses: [400],
    meaning: 'The message shows the place with line, column and a caret.',
    expected:
      'An expression over fields of the request, `http.response.code`, `cf.response.1xxx_code` and `cf.response.error_type`. Tokens and claims are none of them.',
    remedy: 'Correct the place that the caret points at.',
  },
  not_allowed: {
    title: 'A value that is possible elsewhere, and not here',
    statuses: [400],
    meaning: 'An action, a content type or an address does not belong to custom errors.',
    expected: 'What the message names.',
    remedy: 'Use one of the values in the message.',
  },
  invalid_position: {
    title: 'A rule cannot be put there',
    statuses: [400],
    meaning: 'The position names no place in the list.',
    expected: 'One of `index`, `before` and `after`.',
    remedy: 'Read the ruleset once more; it may have changed.',
  },
  unknown_rule: {
    title: 'The ruleset has no such rule',
    statuses: [400],
    meaning: 'A rule names an id that is not in the ruleset.',
    expected: 'Ids of rules of this ruleset, or none for new ones.',
    remedy: 'Leave the id out to add a rule.',
  },
  not_unique: {
    title: 'Two rules have one name',
    statuses: [400],
    meaning: 'An `id` or a `ref` is there twice.',
    expected: 'Each of them once in a ruleset.',
    remedy: 'Change one of the two.',
  },
  too_many: {
    title: 'Too many error rules',
    statuses: [400],
    meaning: 'The ruleset would have more rules than a zone may have.',
    expected: 'At most as many as the message says.',
    remedy: 'Put conditions together with `or`.',
  },
  too_large: {
    title: 'Too much content of edge errors',
    statuses: [400],
    meaning: 'One content, or all of the zone together, has more bytes than there may be.',
    expected: 'At most as many bytes as the message says, in UTF-8.',
    remedy: 'Shorten it: styles repeat, and pictures as data are long.',
  },
  wrong_phase: {
    title: 'The phase is another one',
    statuses: [400],
    meaning: 'Only the phase `http_custom_errors` of zones is here.',
    expected: '`kind` zone and `phase` http_custom_errors.',
    remedy: 'Leave rules of other phases where they are.',
  },
  invalid_page: {
    title: 'The error page cannot be used',
    statuses: [400],
    meaning: 'It is no page in HTML, or is given in two ways, or in none.',
    expected: 'HTML as `content`, or a `url` to fetch it from, with `state` customized.',
    remedy: 'Correct what the message names.',
  },
  page_not_fetched: {
    title: 'The error page was not fetched',
    statuses: [400],
    meaning: 'Its address did not answer with a page. What was in force stays so.',
    expected:
      'A public `https://` address that answers 200 with `text/html` in UTF-8, and no redirect.',
    remedy: 'Correct the address, or send the page as `content`.',
  },
  rules_not_in_force: {
    title: 'Error rules are kept, but not in force',
    statuses: [200],
    meaning: 'The zone is on the free plan, which has no custom error rules.',
    expected: 'A paid plan.',
    remedy: 'Change the plan of the zone, or delete the rules.',
  },
  notice: {
    title: 'An error rule is odd',
    statuses: [200],
    meaning: 'It was saved, but perhaps it does not do what was meant.',
    expected: 'What the message says.',
    remedy: 'Look at the rule in the preview.',
  },
  page_notice: {
    title: 'An error page lacks something',
    statuses: [200],
    meaning: 'It was saved, but does not say what such a page should, or loads from elsewhere.',
    expected: 'What the message says.',
    remedy: 'Look at the page in the preview.',
  },
  branding_notice: {
    title: 'A colour is shown in another tone',
    statuses: [200],
    meaning: 'Its contrast with what lies behind it is too low to be read by everybody.',
    expected: 'The contrast that WCAG AA asks for, 4.5 to 1.',
    remedy: 'Choose a darker or a lighter one, or leave it to the page.',
  },
}

/** Codes of error rules, error pages and their look. */
export const EDGE_ERROR_CODES = codeChapter('Edge errors', CODES, NOTES)
