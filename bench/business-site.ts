import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { page } from './support/prose.ts';
