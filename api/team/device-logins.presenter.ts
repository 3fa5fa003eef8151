import type { Settings } from '../../core/settings/settings.ts';
import type { DeviceLogin } from '../../entities/team/device-login.entity.ts';
import type { IssuedKey } from '../../services/team/api-key-service.ts';
import type { StartedLogin } from '../../services/team/device-login-service.ts';
import type { DeviceLoginPolled, DeviceLoginRead, DeviceLoginStarted } from './device-logins.schemas.ts';

export function presentStartedLogin(
  { login: { userCode }, deviceCode }: StartedLogin,
  settings: Pick<Settings, 'baseUrl' | 'deviceLoginSeconds' | 'devicePollSeconds'>,
): DeviceLoginStarted {
  const page = `${settings.baseUrl}/device`;
  return {
    device_code: deviceCode,
    user_code: userCode,
    verification_uri: page,
    verification_uri_complete: `${page}?code=${userCode}`,
    expires_in: settings.deviceLoginSeconds,
    interval: settings.devicePollSeconds,
  };
}

/** @param issued API key that was issued to the device; null while the login is pending */
export function presentPoll(issued: IssuedKey | null): DeviceLoginPolled {
  if (issued === null) return { status: 'pending', key: null, key_id: null };
  return { status: 'approved', key: issued.key, key_id: issued.row.id };
}

export function presentDeviceLogin(login: DeviceLogin): DeviceLoginRead {
  return {
    id: login.id,
    user_code: login.userCode,
    client_name: login.clientName,
    ip_address: login.ip,
    status: login.status,
    created_at: login.createdAt.toISOString(),
    expires_at: login.expiresAt.toISOString(),
  };
}
