/** Versions of policies, and the gates that run them. */
export interface PolicyTables {
  readonly policy_versions: PolicyVersionTable
  readonly policy_parts: PolicyPartTable
  readonly gate_instances: GateInstanceTable
}

interface PolicyVersionTable {
  zone_id: string
  version: number
  /** SHA-256 over the hashes of the parts. */
  hash: string
  /** JSON: hash by name of the part. */
  parts: string
  actor_id: string
  created_at: number
}

/** A part of a zone's policy, or a piece of one, named by its hash and so written once. Holds no secret. */
interface PolicyPartTable {
  zone_id: string
  hash: string
  body: string
  /** The last version that is made of it; null: the newest one is. */
  last_version: number | null
}

/** Gates that follow a zone's policy, as they last told of themselves. */
interface GateInstanceTable {
  zone_id: string
  instance: string
  /** What it runs. */
  version: number
  hash: string
  /** JSON: which version it refused and why. */
  refused: string | null
  started_at: number
  last_seen: number
}
