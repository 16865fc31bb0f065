import type * as Yaml from 'yaml'

/** Composing recurses, and what is deep enough to end the stack may end the process. */
const MAX_DEPTH = 100
/** Each alias is looked for in the whole document. */
const MAX_ALIASES = 200

/** Words of a document that are longer than any of a message may be secrets. */
const LONG_WORD = /[^\s"]{41,}/g
const MAX_MESSAGE = 300

/** A text that is neither JSON nor YAML. The message tells line and column, and no long word. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'

  constructor(message: string) {
    super(message.replaceAll(LONG_WORD, '…').slice(0, MAX_MESSAGE))
  }
}

/**
 * Reads a document of JSON or YAML 1.2.
 * @throws {DocumentError}
 */
export async function readDocument(text: string): Promise<unknown> {
  try {
    return JSON.parse(text)
  } catch {
    // All JSON is YAML, whose reader tells lines and columns. Who needs it not starts sooner.
    return readYaml(await import('yaml'), text)
  }
}

function readYaml(yaml: typeof Yaml, text: string): unknown {
  const lines = new yaml.LineCounter()
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `line ${line}, column ${col}`
  }
  const tokens = [...new yaml.Parser(lines.addNewLine).parse(text)]
  measure(tokens, at)
  // Its own search for repeated keys takes quadratic time.
  const quick = { uniqueKeys: false, prettyErrors: false, lineCounter: lines }
  const [document, second] = [...new yaml.Composer(quick).compose(tokens, true, text.length)]
  const [error] = document!.errors
  if (error !== undefined) throw new DocumentError(`${at(error.pos[0])}: ${error.message}`)
  if (second !== undefined)
    throw new DocumentError(`${at(second.range[0])}: expected one document, found several`)
  refuseRepeated(yaml, document!, at)
  try {
    return document!.toJS()
  } catch (cause) {
    // Aliases without their anchor, or nested so that they would fill the memory.
    throw new DocumentError((cause as Error).message)
  }
}

function measure(tokens: readonly Yaml.CST.Token[], at: (offset: number) => string): void {
  let aliases = 0
  let level: readonly Yaml.CST.Token[] = tokens
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH)
      throw new DocumentError(`${at(level[0]!.offset)}: expected at most ${MAX_DEPTH} levels`)
    for (const { type, offset } of level)
      if (type === 'alias' && ++aliases > MAX_ALIASES)
        throw new DocumentError(`${at(offset)}: expected at most ${MAX_ALIASES} aliases`)
    level = level.flatMap(inside)
  }
}

function inside(token: Yaml.CST.Token): readonly Yaml.CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value]
  if (!('items' in token)) return []
  return token.items.flatMap(({ key, value }) => [key ?? [], value ?? []].flat())
}

function refuseRepeated(
  { isMap, isScalar, visit }: typeof Yaml,
  document: Yaml.Document.Parsed,
  at: (offset: number) => string,
): void {
  visit(document, {
    Map(_, map) {
      if (!isMap(map)) return
      const seen = new Set<string>()
      for (const { key } of map.items) {
        if (!isScalar(key)) continue
        const name = String(key.value)
        if (seen.has(name))
          throw new DocumentError(
            `${at(key.range?.[0] ?? 0)}: the key ${JSON.stringify(name)} stands twice`,
          )
        seen.add(name)
      }
    },
  })
}
