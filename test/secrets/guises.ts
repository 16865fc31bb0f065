/** A secret in every form in which it could be somewhere, cut into what is looked for. */
export interface Hunted {
  readonly name: string
  readonly needles: readonly { readonly guise: string; readonly bytes: Buffer }[]
}

/** So many characters, or bytes, of a secret are a part of it that counts. */
const PART = 12

/** The forms of a secret: its `text`, and the `bytes` that it stands for. */
export function hunted(name: string, text: string, bytes: Buffer = Buffer.from(text)): Hunted {
  const each = (write: (byte: number) => string) => [...bytes].map(write)
  const hex = each((byte) => byte.toString(16).padStart(2, '0'))
  const forms: readonly (readonly [guise: string, units: readonly string[]])[] = [
    ['as it is', [...text]],
    ['backwards', [...text].toReversed()],
    ['its bytes', each((byte) => String.fromCharCode(byte))],
    ['in hexadecimal', hex],
    ['in upper-case hexadecimal', hex.map((pair) => pair.toUpperCase())],
    ['URL-encoded', hex.map((pair) => `%${pair.toUpperCase()}`)],
    ['escaped as JSON may', hex.map((pair) => `\\u00${pair}`)],
    ['as a list of numbers', each((byte) => `${byte},`)],
    ...(['base64', 'base64url'] as const).flatMap((alphabet) =>
      // What stands before it moves the letters of base64: three ways.
      [0, 1, 2].flatMap((before) =>
        [bytes, Buffer.from(text)].map((content) => {
          const padded = Buffer.concat([Buffer.alloc(before), content])
          const letters = padded.toString(alphabet).replace(/=+$/, '')
          const own = letters.slice(before === 0 ? 0 : 4, -2)
          return [`in ${alphabet}`, own.split('')] as const
        }),
      ),
    ),
  ]
  const needles = new Map<string, string>()
  for (const [guise, units] of forms)
    for (let at = 0; at + PART <= units.length; at++) {
      const part = units.slice(at, at + PART).join('')
      if (!needles.has(part)) needles.set(part, guise)
    }
  return {
    name,
    needles: [...needles].map(([part, guise]) => ({ guise, bytes: Buffer.from(part, 'latin1') })),
  }
}

/** What is searched: by place. Of text the bytes are those of UTF-8. */
export type Evidence = ReadonlyMap<string, string | Buffer>

/** Looks for every part of every secret in all places, and tells each that holds some. */
export function findIn(evidence: Evidence, secrets: readonly Hunted[]): readonly string[] {
  // Three bytes tell almost all places apart from the few that are worth a closer look.
  const starts = new Map<number, { readonly label: string; readonly bytes: Buffer }[]>()
  const marked = new Uint8Array(1 << 24)
  for (const { name, needles } of secrets)
    for (const { guise, bytes } of needles) {
      const start = bytes.readUIntBE(0, 3)
      marked[start] = 1
      starts.set(start, [...(starts.get(start) ?? []), { label: `${name} ${guise}`, bytes }])
    }
  const found = new Set<string>()
  for (const [place, content] of evidence) {
    const hay = typeof content === 'string' ? Buffer.from(content) : content
    let start = 0
    for (let at = 0; at < hay.length; at++) {
      start = ((start << 8) | hay[at]!) & 0xffffff
      if (marked[start] === 0 || at < 2) continue
      for (const { label, bytes } of starts.get(start) ?? [])
        if (hay.subarray(at - 2, at - 2 + bytes.length).equals(bytes))
          found.add(`${label} in ${place}`)
    }
  }
  return [...found]
}
