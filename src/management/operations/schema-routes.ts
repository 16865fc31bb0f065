import type { Endpoint } from '../http/index.js'
import type { Services } from '../store/index.js'
import { keptSchemaRoutes } from './kept-schema-routes.js'
import type { DocumentReader } from './read-openapi.js'
import { SCHEMAS_PATH, USER_SCHEMAS_PATH } from './schema-paths.js'
import { uploadRoutes } from './upload-routes.js'

/** Uploaded OpenAPI documents: each adds its operations to the zone. In both spellings of clients. */
export const schemaRoutes = (services: Services, reader: DocumentReader): readonly Endpoint[] => [
  ...uploadRoutes(services, reader),
  ...[SCHEMAS_PATH, USER_SCHEMAS_PATH].flatMap((path) => keptSchemaRoutes(services, path)),
]
