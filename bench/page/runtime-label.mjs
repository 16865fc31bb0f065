/** What people call a runtime: Node by its major version, the others by name. */
export function runtimeLabel({ name, version }) {
  return name === 'Node' ? `Node ${version.split('.')[0]}` : name
}
