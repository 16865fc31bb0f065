// The part of the package `ws` that the tests use; it comes without types.
declare module 'ws' {
  import type { EventEmitter } from 'node:events'
  import type { IncomingMessage, Server } from 'node:http'

  export class WebSocket extends EventEmitter {
    constructor(url: string, options?: { readonly headers?: Readonly<Record<string, string>> })
    on(event: 'message', listener: (data: Buffer, binary: boolean) => void): this
    send(data: string | Buffer, options?: { readonly binary: boolean }): void
    close(code: number, reason: string): void
    terminate(): void
  }
  export class WebSocketServer extends EventEmitter {
    constructor(options: { readonly server: Server })
    on(event: 'connection', listener: (socket: WebSocket, request: IncomingMessage) => void): this
  }
}
