/** Names a key within its set, by the pair that no other key there has (spec 2.3). */
export const keyName = ({ alg, kid }: { readonly alg?: unknown; readonly kid?: unknown }): string =>
  JSON.stringify([alg, kid])
