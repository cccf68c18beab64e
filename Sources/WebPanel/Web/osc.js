// OSC 1.0 packets: encode(address, ...arguments) and decode(bytes).
const text = new TextEncoder(), words = new TextDecoder();
const NTP_TO_UNIX = 2208988800;

function padded(string) {
  const bytes = text.encode(string);
  const result = new Uint8Array((bytes.length + 4) & ~3);
  result.set(bytes);
  return result;
}

/** A number is sent as a float, { i: 3 } as an integer, a string as a string, true and false as 1 and 0. */
export function encode(address, ...values) {
  const parts = [padded(address)];
  let types = ",";
  const data = [];
  for (const value of values) {
    const field = new DataView(new ArrayBuffer(4));
    if (typeof value === "string") {
      types += "s";
      data.push(padded(value));
    } else if (typeof value === "number") {
      types += "f";
      field.setFloat32(0, value);
      data.push(new Uint8Array(field.buffer));
    } else {
      types += "i";
      field.setInt32(0, typeof value === "boolean" ? Number(value) : value.i);
      data.push(new Uint8Array(field.buffer));
    }
  }
  parts.push(padded(types), ...data);
  const packet = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let place = 0;
  for (const part of parts) {
    packet.set(part, place);
    place += part.length;
  }
  return packet;
}

/** The messages of a packet: { address, values, time }, where time is that of the bundle in milliseconds since 1970, or null. */
export function decode(buffer, time = null) {
  const bytes = new Uint8Array(buffer), view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  let place = 0;
  const string = () => {
    const end = bytes.indexOf(0, place);
    const found = words.decode(bytes.subarray(place, end));
    place = (end + 4) & ~3;
    return found;
  };
  const timeTag = () => {
    const seconds = view.getUint32(place), fraction = view.getUint32(place + 4);
    place += 8;
    return seconds ? (seconds - NTP_TO_UNIX + fraction / 2 ** 32) * 1000 : null;
  };
  const address = string();
  if (address === "#bundle") {
    const tag = timeTag(), messages = [];
    while (place < bytes.length) {
      const size = view.getInt32(place);
      messages.push(...decode(bytes.subarray(place + 4, place + 4 + size), tag));
      place += 4 + size;
    }
    return messages;
  }
  const values = [];
  for (const type of string().slice(1)) {
    switch (type) {
      case "i": values.push(view.getInt32(place)); place += 4; break;
      case "f": values.push(view.getFloat32(place)); place += 4; break;
      case "h": values.push(Number(view.getBigInt64(place))); place += 8; break;
      case "t": values.push(timeTag()); break;
      case "s": values.push(string()); break;
      default: values.push(null);
    }
  }
  return [{ address, values, time }];
}
