import { crc32, deflateRawSync } from 'node:zlib';

/**
 * Builds a ZIP archive. The options replace values in its directory with false values: the size and checksum
 * of every entry, the number of entries, the start of the directory, and the number of the disk.
 */
export function buildZip(
  parts: Record<string, string | Buffer>,
  {
    declaredBytes,
    declaredEntries,
    skippedBytes = 0,
    checksum,
    disk = 0,
  }: {
    declaredBytes?: number;
    declaredEntries?: number;
    skippedBytes?: number;
    checksum?: number;
    disk?: number;
  } = {},
): Buffer {
  const files: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const [name, content] of Object.entries(parts)) {
    const unpacked = typeof content === 'string' ? Buffer.from(content) : content;
    const packed = deflateRawSync(unpacked);
    const common = Buffer.alloc(26);
    common.writeUInt16LE(20, 0);
    common.writeUInt16LE(8, 4);
    common.writeUInt32LE(checksum ?? crc32(unpacked), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(declaredBytes ?? unpacked.length, 18);
    common.writeUInt16LE(Buffer.byteLength(name), 22);
    const place = Buffer.alloc(14);
    place.writeUInt32LE(offset, 10);
    const file = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    directory.push(Buffer.from('PK\x01\x02\x14\0'), common, place, Buffer.from(name));
    files.push(file);
    offset += file.length;
  }
  const listing = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06', 'latin1');
  end.writeUInt16LE(disk, 4);
  end.writeUInt16LE(declaredEntries ?? files.length, 8);
  end.writeUInt16LE(declaredEntries ?? files.length, 10);
  end.writeUInt32LE(listing.length - skippedBytes, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...files, listing, end]);
}
