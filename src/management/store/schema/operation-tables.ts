/** Operations, and the documents that they came from. */
export interface OperationTables {
  readonly operations: OperationTable
  readonly api_schemas: ApiSchemaTable
}

interface OperationTable {
  zone_id: string
  id: string
  method: string
  host: string
  endpoint: string
  /** Hash of what it matches: two operations of one zone never share it. */
  match_key: string
  created_at: number
}

/** OpenAPI documents as they were uploaded. */
interface ApiSchemaTable {
  zone_id: string
  id: string
  name: string
  kind: 'openapi_v3'
  source: string
  validation_enabled: number
  created_at: number
  updated_at: number
}
