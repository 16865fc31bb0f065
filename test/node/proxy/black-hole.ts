import { connect } from 'node:net'
import { Worker } from 'node:worker_threads'
import { onTestFinished } from 'vitest'

/** A listening socket that accepts nothing and whose queue is full: further handshakes hang. */
export async function blackHole(): Promise<string> {
  const source = `
    const { workerData, parentPort } = require('node:worker_threads')
    const server = require('node:net').createServer()
    server.listen({ port: 0, host: '127.0.0.1', backlog: 1 }, () => {
      parentPort.postMessage(server.address().port)
      setImmediate(() => Atomics.wait(workerData, 0, 0))
    })`
  const lock = new Int32Array(new SharedArrayBuffer(4))
  const worker = new Worker(source, { eval: true, workerData: lock })
  const port = await new Promise<number>((resolve) => worker.once('message', resolve))
  await new Promise((resolve) => setTimeout(resolve, 100))
  const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1'))
  for (const filler of fillers) filler.on('error', () => undefined)
  onTestFinished(async () => {
    for (const filler of fillers) filler.destroy()
    Atomics.store(lock, 0, 1)
    Atomics.notify(lock, 0)
    await worker.terminate()
  })
  await new Promise((resolve) => setTimeout(resolve, 100))
  return `http://127.0.0.1:${port}`
}
