/** Object ids of PostgreSQL's types, which are the same in every installation (pg_type.dat). */
const typeIds = { int4: 23, int8: 20, text: 25, uuid: 2950 }

const headerBytes = 20
const lengthBytes = 4

/**
 * Writes arrays as PostgreSQL sends them in its binary format (`array_send`): one dimension, index from 1, no nulls. The driver passes a
 * Buffer on as it is. As text, each quotation mark of a JSON document would be escaped here and read character by character there.
 */
export const toBinaryArray = {
  text: (values: readonly string[]): Buffer =>
    writeArray(typeIds.text, values, Buffer.byteLength, (array, value, at) => array.write(value, at)),
  int4: (values: readonly number[]): Buffer =>
    writeArray(
      typeIds.int4,
      values,
      () => 4,
      (array, value, at) => array.writeInt32BE(value, at),
    ),
  int8: (values: readonly bigint[]): Buffer =>
    writeArray(
      typeIds.int8,
      values,
      () => 8,
      (array, value, at) => array.writeBigInt64BE(value, at),
    ),
  /** UUIDs in their usual notation. Throws a RangeError for any other text. */
  uuid: (values: readonly string[]): Buffer => writeArray(typeIds.uuid, values, () => 16, writeUuid),
}

function writeArray<Value>(
  typeId: number,
  values: readonly Value[],
  getBytes: (value: Value) => number,
  write: (array: Buffer, value: Value, at: number) => void,
): Buffer {
  const sizes = values.map((value) => getBytes(value))
  const array = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + lengthBytes + size, headerBytes))
  const hasNulls = 0
  const dimensions = values.length === 0 ? 0 : 1
  for (const [index, value] of [dimensions, hasNulls, typeId, values.length, 1].entries())
    array.writeInt32BE(value, index * 4)
  if (dimensions === 0) return array.subarray(0, 12)
  let at = headerBytes
  for (const [index, value] of values.entries()) {
    const size = sizes[index] as number
    array.writeInt32BE(size, at)
    write(array, value, at + lengthBytes)
    at += lengthBytes + size
  }
  return array
}

function writeUuid(array: Buffer, value: string, at: number): void {
  if (array.write(value.replaceAll('-', ''), at, 'hex') !== 16) throw new RangeError(`${value} is not a UUID`)
}
