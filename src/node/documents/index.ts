/** OpenAPI documents, read in a thread of their own. */
export { createDocumentReader, type DocumentReaderOptions } from './create-document-reader.js'
