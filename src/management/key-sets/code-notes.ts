import { codeChapter, type CodeNote } from '../http/index.js'
import { CODES } from './codes.js'

const NOTES: Readonly<Record<keyof typeof CODES, CodeNote>> = {
  invalid_uri: {
    title: 'The address of a key set cannot be used',
    statuses: [400],
    meaning: '`jwks_uri` is no URL that keys may be fetched from.',
    expected:
      'A URL that begins with `https://`, without credentials, of at most 2,048 characters.',
    remedy: 'Take the `jwks_uri` of the issuer from its `/.well-known/openid-configuration`.',
  },
  asked_too_often: {
    title: 'The key set was fetched just now',
    statuses: [429],
    meaning: 'Fetches of one set on demand have a budget, whoever asks for them.',
    expected: 'A pause of the seconds in the header `Retry-After`.',
    remedy: 'Look at the state of the set instead; it is fetched again by itself.',
  },
  no_keys_yet: {
    title: 'There are no keys of the issuer yet',
    statuses: [200],
    meaning: 'The configuration is saved, but its key set could not be fetched so far.',
    expected: 'An issuer that answers with usable keys, which is asked again in the background.',
    remedy: 'Look at the state of the key set, which says what went wrong.',
  },
}

export const KEY_SET_CODES = codeChapter('Remote key sets', CODES, NOTES)
