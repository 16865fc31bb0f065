import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import { canonicalHost, requestHost } from '../../../src/edge/selector/index.js'

describe('the host of a request', () => {
  test.each([
    ['api.example.com', 'api.example.com'],
    ['API.Example.COM', 'api.example.com'],
    ['api.example.com.', 'api.example.com'],
    ['api.example.com:8443', 'api.example.com'],
    ['api.example.com.:443', 'api.example.com'],
    ['api.example.com:', 'api.example.com'],
    ['xn--bcher-kva.example', 'xn--bcher-kva.example'],
    ['127.0.0.1:8080', '127.0.0.1'],
    ['[::1]', '[::1]'],
    ['[2001:DB8::1]:8080', '[2001:db8::1]'],
    ['localhost', 'localhost'],
    ['under_score.example.com', 'under_score.example.com'],
  ])('%s is compared as %s', (sent, host) => {
    expect(requestHost(sent)).toBe(host)
  })

  test.each([
    [''],
    ['.'],
    ['..'],
    [':80'],
    ['api..example.com'],
    ['.example.com'],
    ['api.example.com..'],
    ['user@api.example.com'],
    ['api.example.com:x@admin.example.com'],
    ['api.example.com:80:81'],
    ['api.example.com/admin'],
    ['api.example.com#'],
    ['api.example.com?'],
    ['api.example.com\\admin'],
    ['api%2eexample.com'],
    ['api.example.com\0'],
    [' api.example.com'],
    ['api.example.com, admin.example.com'],
    ['{}.example.com'],
    ['b\u00fccher.example'],
    ['\u212aelvin.example'],
    ['[::1'],
    ['[::1]x'],
    [`${'a.'.repeat(200)}example.com`],
  ])('%j is no host, whatever an origin might read out of it', (sent) => {
    expect(requestHost(sent)).toBe('')
  })

  test('normalising twice changes nothing', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.domain(),
          fc.ipV6().map((ip) => `[${ip}]`),
        ),
        (sent) => {
          expect(requestHost(requestHost(sent))).toBe(requestHost(sent))
        },
      ),
    )
  })

  test('letter case, a trailing dot and a port do not matter', () => {
    fc.assert(
      fc.property(fc.domain(), fc.nat(65535), (host, port) => {
        expect(requestHost(`${host.toUpperCase()}.:${port}`)).toBe(requestHost(host))
      }),
    )
  })
})

describe('a configured host', () => {
  test.each([
    ['API.example.com', 'api.example.com'],
    ['example.com.', 'example.com'],
    ['{hostVar1}.example.com', '{}.example.com'],
    ['{hostVar2}.{hostVar1}.example.com', '{}.{}.example.com'],
    ['b\u00fccher.example', 'xn--bcher-kva.example'],
    ['B\u00dcCHER.example', 'xn--bcher-kva.example'],
    ['\u4f8b\u3048.jp', 'xn--r8jz45g.jp'],
    ['[::1]', '[::1]'],
    ['constructor', 'constructor'],
    ['__proto__', '__proto__'],
  ])('%s is compared as %s', (written, host) => {
    expect(canonicalHost(written)).toBe(host)
  })

  test.each([
    [''],
    ['.'],
    ['a..b'],
    ['foo-{x}.example.com'],
    ['{x}{y}.example.com'],
    ['{}.example.com'],
    ['example.com:80'],
    ['*.example.com'],
    ['user@example.com'],
    ['\u00e9@foo.example.com'],
    ['\u00e9/x.example.com'],
    ['a\u3002b.example.com'],
    ['-a.example.com'],
    [`${'a'.repeat(64)}.example.com`],
    [`${'a.'.repeat(130)}com`],
    ['[::1'],
    ['exa mple.com'],
  ])('%j is none', (written) => {
    expect(canonicalHost(written)).toBeUndefined()
  })

  test('a concrete host is compared the same from either side', () => {
    fc.assert(
      fc.property(fc.domain(), (host) => {
        expect(canonicalHost(host)).toBe(requestHost(host))
      }),
    )
  })
})
