import { parentPort, workerData } from 'node:worker_threads'
import { readOperations } from '../../management/index.js'
import { isAssignment } from './assignment.js'

/** What a thread runs: it reads the one document that it is given, and ends. */
if (!isAssignment(workerData)) throw new TypeError('expected a document and facts of its zone')
parentPort?.postMessage(await readOperations(workerData.text, workerData.zone), [])
