import { createGate, type PolicyIssue, type Zone } from '../../edge/index.js'
import { weaknesses } from '../../edge/token/index.js'
import { nodeCrypto } from '../crypto.js'
import { readPolicyFile } from '../policy-file.js'
import { withEdgeErrors } from '../with-edge-errors.js'
import { badUpstream } from './bad-upstream.js'
import { UsageError, type Command, type ExitCode } from './command.js'
import { idleSelectors } from './idle-selectors.js'
import { parseOptions } from './parse-options.js'
import { faultsOf, printIssue } from './policy-report.js'
import type { Terminal } from './terminal.js'

interface Finding {
  readonly file: string
  readonly errors: readonly PolicyIssue[]
  readonly notices: readonly PolicyIssue[]
}

/** `portcullis check`: does this policy compile, and is anything in it odd? */
export const check: Command = {
  name: 'check',
  summary: 'validate policy files',
  help: `Usage: portcullis check FILE… [--json] [--strict]

Compiles each policy as a gate would and prints every fault with its place: a JSON pointer, and
for expressions the line, the column and a caret. \`-\` reads standard input.

  --json     print one JSON object per file: { file, errors, notices }
  --strict   notices count as findings too

Exit code: 0 all compile, 1 findings, 2 usage.`,

  async run(args, terminal): Promise<ExitCode> {
    const { values, positionals } = parseOptions(args, {
      json: { type: 'boolean' },
      strict: { type: 'boolean' },
    })
    if (positionals.length === 0) throw new UsageError('expected a policy file')
    const findings = await Promise.all(positionals.map(examine))
    for (const finding of findings) {
      if (values.json) terminal.out(JSON.stringify(finding))
      else print(finding, terminal)
    }
    const bad = findings.some(
      ({ errors, notices }) => errors.length > 0 || (values.strict && notices.length > 0),
    )
    return bad ? 1 : 0
  },
}

async function examine(file: string): Promise<Finding> {
  try {
    const policy = await readPolicyFile(file)
    const { notices, zones } = withEdgeErrors(policy, (each) =>
      createGate(each, { crypto: nodeCrypto() }),
    )
    return {
      file,
      errors: [],
      notices: [
        ...notices,
        ...[badUpstream, weakKeys, idleSelectors].flatMap((lint) => zones.flatMap(lint)),
      ],
    }
  } catch (cause) {
    return { file, errors: faultsOf(cause), notices: [] }
  }
}

/** Keys that a gate takes and that had better be replaced. */
function weakKeys({ name, token_configurations = [] }: Zone): readonly PolicyIssue[] {
  return token_configurations.flatMap(({ id, credentials }) =>
    weaknesses(credentials.keys).map(({ code, message, pointer }) => ({
      code: String(code),
      message: `${name}, configuration ${id}: ${message}`,
      pointer: `/credentials${pointer}`,
    })),
  )
}

function print({ file, errors, notices }: Finding, terminal: Terminal): void {
  for (const issue of errors) printIssue(terminal, file, 'error', issue)
  for (const issue of notices) printIssue(terminal, file, 'notice', issue)
  if (errors.length === 0) terminal.out(`${terminal.paint('green', 'ok')} ${file} compiles`)
}
