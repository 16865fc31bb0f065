/** Of whoever sets a benchmark up. */
export const ADMINISTRATOR = 'the-administrator-of-this-benchmark'

/** Calls the management API; gives the result or throws what it answered. */
export async function managementCall(base, method, path, body) {
  const headers = { authorization: `Bearer ${ADMINISTRATOR}`, 'content-type': 'application/json' }
  const init = { method, headers, body: JSON.stringify(body) }
  const response = await fetch(base + path, init)
  if (!response.ok) throw new Error(`${method} ${path}: ${await response.text()}`)
  return (await response.json()).result
}
