/** The API page: a self-contained document for people, made from the OpenAPI document and the codes. */
export { createDocs } from './create-docs.js'
