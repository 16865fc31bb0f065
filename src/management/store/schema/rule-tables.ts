/** Token rules, and what they are found by. */
export interface RuleTables {
  readonly rules: RuleTable
  readonly rule_hosts: RuleHostTable
  readonly rule_configurations: RuleConfigurationTable
}

interface RuleTable {
  zone_id: string
  id: string
  /** Order of precedence, from 1 without gaps. */
  position: number
  title: string
  description: string
  action: 'log' | 'block'
  enabled: number
  expression: string
  /** JSON, as given. */
  selector: string
  modified_by: string
  created_at: number
  updated_at: number
}

/** Which hosts (canonical) a rule includes: what the list of rules is filtered by. */
interface RuleHostTable {
  zone_id: string
  host: string
  rule_id: string
}

/** Which configurations a rule names. */
interface RuleConfigurationTable {
  zone_id: string
  configuration_id: string
  rule_id: string
}
