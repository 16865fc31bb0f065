/** OpenAPI documents, read in a process of their own. */
export { createDocumentReader, type DocumentReaderOptions } from './create-document-reader.js'
