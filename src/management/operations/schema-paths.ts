/** The two spellings that clients know a zone's schemas by. */
export const SCHEMAS_PATH = '/zones/{zone_id}/schema_validation/schemas'
export const USER_SCHEMAS_PATH = '/zones/{zone_id}/api_gateway/user_schemas'

export const TAG = 'Schemas'
