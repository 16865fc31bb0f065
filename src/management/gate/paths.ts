/** Where everything lies that gates of a zone talk about. */
export const GATE_PATH = '/zones/{zone_id}/gate'

export const TAG = 'Gates'
