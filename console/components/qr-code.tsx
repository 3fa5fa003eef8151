import { encodeQR } from 'qr';

/** Width of the quiet zone around a QR code, in modules. Scanners need this zone (ISO/IEC 18004). */
const BORDER = 4;

export interface QrCodeProps {
  text: string;
  /** Name of the QR code for screen readers. */
  label: string;
}

export function QrCode({ text, label }: QrCodeProps) {
  const rows = encodeQR(text, 'raw', { border: BORDER });
  const dark = rows.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : '')));
  return (
    <svg
      className="qr"
      role="img"
      aria-label={label}
      viewBox={`0 0 ${rows.length} ${rows.length}`}
      shapeRendering="crispEdges"
    >
      <path d={dark.join('')} />
    </svg>
  );
}
