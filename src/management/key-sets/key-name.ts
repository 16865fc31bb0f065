/** Names a key within its set. */
export const keyName = ({ alg, kid }: { readonly alg: string; readonly kid: string }): string =>
  JSON.stringify([alg, kid])
