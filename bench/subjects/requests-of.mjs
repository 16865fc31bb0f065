/**
 * Requests to the operations of a zone in turn, each with a header line from `lineOf(i)`.
 *
 * @returns what makes the i-th
 */
export function requestsOf(zone, lineOf) {
  const targets = zone.operations.map(({ host, endpoint }) => ({
    host,
    target: endpoint.replace('{id}', '42'),
  }))
  return (i) => {
    const { host, target } = targets[i % targets.length]
    const line = lineOf(i)
    return {
      method: 'GET',
      host,
      target,
      header: (name) => (name === 'authorization' ? line : undefined),
      headers: () => [['Authorization', line]],
    }
  }
}

/** For `measure`: throws unless a decision is so. */
export const expectAction = (action) => (decision) => {
  if (decision.action !== action) throw new Error(`expected ${action}, found ${decision.action}`)
}
