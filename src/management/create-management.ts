import { auditRoutes } from './audit/index.js'
import { CHAPTERS } from './chapters.js'
import { createDocs } from './docs/index.js'
import { edgeErrorRoutes } from './edge-errors/index.js'
import { createNews, gateRoutes, gateStates, keepReports } from './gate/index.js'
import { ApiError, createApp, refusalOf } from './http/index.js'
import { createKeySets, keySetRoutes, noWayOut } from './key-sets/index.js'
import type { Management, ManagementOptions } from './management.js'
import {
  importOperations,
  operationRoutes,
  readOperations,
  schemaRoutes,
} from './operations/index.js'
import { OWNER } from './owner.js'
import { RESTORES } from './restores.js'
import { storeRefusal } from './store-refusal.js'
import {
  keepHistory,
  microseconds,
  onAnnouncement,
  policyHeads,
  resealSecrets,
  whileSealedAnew,
  restoreBackup,
  writeBackup,
  type Services,
} from './store/index.js'
import { TIMERS } from './timers.js'
import { tokenValidationRoutes, zonePolicy } from './token-validation/index.js'
import { createAuthenticate, ensureFirstToken, tokenRoutes } from './tokens/index.js'
import { createAccountOf, zonesRoutes } from './zones/index.js'

/**
 * Puts the management API together.
 *
 * @example
 * const db = await openDatabase(sqliteDialect('portcullis.db'))
 * const management = createManagement({ db, sealer, now: Date.now, newId, random })
 * const response = await management.fetch(new Request('http://localhost/client/v4/zones'))
 */
export function createManagement(options: ManagementOptions): Management {
  const { db, sealer, now, newId, random, base = '/client/v4', version = '0' } = options
  const services: Services = { db, sealer, newId, random, at: () => microseconds(now()) }
  keepHistory(db, options.history ?? {})
  const accountOf = createAccountOf(db)
  const readDocument = options.readDocument ?? readOperations
  const convert = storeRefusal(db)
  const onFault = options.onFault ?? (() => {})
  const every = options.every ?? TIMERS.every
  const news = createNews({ db, every, onFault: (cause) => onFault(cause, 'announcements') })
  const keySets = createKeySets({
    services,
    outbound: options.outbound ?? noWayOut,
    every,
    later: options.later ?? TIMERS.later,
    onFault: (cause) => onFault(cause, 'key-sets'),
  })
  const remote = { keySets, allowHttp: options.allowHttpKeySets ?? false }
  const policy: Management['policy'] = (zoneId, number) => zonePolicy(services, zoneId, number)
  const authenticate = createAuthenticate(services, (cause) => onFault(cause, 'last-use'))
  const app = createApp(
    [
      ...tokenRoutes(services, accountOf),
      ...zonesRoutes(services),
      ...operationRoutes(services),
      ...schemaRoutes(services, readDocument),
      ...tokenValidationRoutes(services, remote),
      ...keySetRoutes(services, keySets),
      ...edgeErrorRoutes(services, options.pageOutbound),
      ...gateRoutes({ ...services, policy, news, every, restores: RESTORES }),
      ...auditRoutes(services),
    ],
    {
      base,
      version,
      publicUrl: options.publicUrl?.replace(/\/+$/, ''),
      docs: createDocs(CHAPTERS),
      authenticate,
      accountOf,
      newId,
      at: services.at,
      convert,
      onFault,
    },
  )
  return {
    fetch: async (request) => app.fetch(request, {}),
    fetchAsOwner: async (request) => app.fetch(request, { actor: OWNER }),
    ensureFirstToken: (given) => ensureFirstToken(services, given),
    policy,
    importOperations: (zoneId, document) =>
      importOperations(services, readDocument, zoneId, document, {
        actor: OWNER,
        request_id: newId(),
        at: services.at(),
      }).catch((cause: unknown) => {
        const known = cause instanceof ApiError ? cause : convert(cause)
        if (known === undefined) throw cause
        return { errors: known.errors }
      }),
    resealSecrets: () => resealSecrets(db, sealer),
    whileSealedAnew: (run) => whileSealedAnew(db, sealer, run),
    backup: (write) => writeBackup(db, write),
    restore: (lines) => restoreBackup(db, sealer, lines),
    keepKeySetsFresh(fetched = () => {}) {
      const silence = keySets.onFetch(fetched)
      keySets.keepFresh()
      return () => keySets.close().finally(silence)
    },
    unknownKeys: (zoneId, unknown) => keySets.unknownKeys(zoneId, unknown),
    refusal: (request, permission) => refusalOf(request, permission, authenticate),
    gates: () => gateStates(db, services.at()),
    gatesTell: async (reports) => void (await keepReports(db, reports, services.at())),
    policyHeads: () => policyHeads(db),
    onPolicy: (changed) => news.subscribe({ changed }).stop,
    onAnnouncement: (heard) => onAnnouncement(db, heard),
    close() {
      news.close()
      void keySets.close()
    },
  }
}
