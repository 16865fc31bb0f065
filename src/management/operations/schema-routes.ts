import type { Endpoint } from '../http/index.js'
import type { Services } from '../store/index.js'
import { keptSchemaRoutes } from './kept-schema-routes.js'
import type { DocumentReader } from './read-openapi.js'
import { uploadRoutes } from './upload-routes.js'

/** The two spellings that clients know a zone's schemas by. */
const SPELLINGS = [
  '/zones/{zone_id}/schema_validation/schemas',
  '/zones/{zone_id}/api_gateway/user_schemas',
]

/** Uploaded OpenAPI documents: each adds its operations to the zone. In both spellings of clients. */
export const schemaRoutes = (services: Services, reader: DocumentReader): readonly Endpoint[] => [
  ...uploadRoutes(services, reader),
  ...SPELLINGS.flatMap((path) => keptSchemaRoutes(services, path)),
]
