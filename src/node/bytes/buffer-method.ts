/**
 * An undocumented method of Node's buffers, to be called with one; where there is none, what is given
 * instead. It is taken out as V8 looks for a method of a buffer at every call.
 */
export function bufferMethod<Method extends (this: Buffer, ...values: never[]) => unknown>(
  name: string,
  instead: Method,
): Method {
  return (Reflect.get(Buffer.prototype, name) as Method | undefined) ?? instead
}
