/** A zone as an object of the audit log. */
export const zoneNamed = (zone: { readonly id: string; readonly account_id?: string }) => ({
  object_type: 'zone',
  object_id: zone.id,
  zone_id: zone.id,
  ...(zone.account_id !== undefined && { account_id: zone.account_id }),
})
