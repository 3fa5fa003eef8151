/** Texts that the widget shows when the visitor sends files. */
export interface FileWords {
  attach: string;
  remove: string;
  ready: string;
  drop: string;
  retry: string;
  waiting: string;
  failed: string;
  wrongType: string;
  tooLarge: string;
  tooMany: string;
}

/**
 * The texts about files by language. They are part of the script, since all of them are smaller than a
 * request.
 */
export const fileWords: Readonly<Record<string, FileWords>> = {
  en: {
    attach: 'Attach files',
    remove: 'Remove {name}',
    ready: '{name} is attached',
    drop: 'Drop files here',
    retry: 'Try again',
    waiting: 'The message will be sent after the upload.',
    failed: '{name} could not be uploaded.',
    wrongType: 'The file type of {name} is not accepted.',
    tooLarge: '{name} is larger than 10 MB.',
    tooMany: 'No more files can be sent here.',
  },
  de: {
    attach: 'Dateien anhängen',
    remove: '{name} entfernen',
    ready: '{name} ist angehängt',
    drop: 'Dateien hier ablegen',
    retry: 'Erneut versuchen',
    waiting: 'Die Nachricht wird nach dem Hochladen gesendet.',
    failed: '{name} konnte nicht hochgeladen werden.',
    wrongType: '{name} hat einen Typ, der nicht angenommen wird.',
    tooLarge: '{name} ist größer als 10 MB.',
    tooMany: 'Hier können keine weiteren Dateien gesendet werden.',
  },
  es: {
    attach: 'Adjuntar archivos',
    remove: 'Quitar {name}',
    ready: '{name} está adjunto',
    drop: 'Suelta los archivos aquí',
    retry: 'Reintentar',
    waiting: 'El mensaje se enviará después de la subida.',
    failed: 'No se pudo subir {name}.',
    wrongType: 'No se acepta el tipo de {name}.',
    tooLarge: '{name} supera los 10 MB.',
    tooMany: 'Aquí no se pueden enviar más archivos.',
  },
  fr: {
    attach: 'Joindre des fichiers',
    remove: 'Retirer {name}',
    ready: '{name} est joint',
    drop: 'Déposez les fichiers ici',
    retry: 'Réessayer',
    waiting: 'Le message sera envoyé après le téléversement.',
    failed: '{name} n’a pas pu être téléversé.',
    wrongType: 'Le type de {name} n’est pas accepté.',
    tooLarge: '{name} dépasse 10 Mo.',
    tooMany: 'Impossible d’envoyer d’autres fichiers ici.',
  },
  it: {
    attach: 'Allega file',
    remove: 'Rimuovi {name}',
    ready: '{name} è allegato',
    drop: 'Trascina qui i file',
    retry: 'Riprova',
    waiting: 'Il messaggio verrà inviato dopo il caricamento.',
    failed: 'Impossibile caricare {name}.',
    wrongType: 'Il tipo di {name} non è accettato.',
    tooLarge: '{name} supera 10 MB.',
    tooMany: 'Qui non è possibile inviare altri file.',
  },
  nl: {
    attach: 'Bestanden bijvoegen',
    remove: '{name} verwijderen',
    ready: '{name} is bijgevoegd',
    drop: 'Zet bestanden hier neer',
    retry: 'Opnieuw proberen',
    waiting: 'Het bericht wordt na het uploaden verzonden.',
    failed: '{name} kon niet worden geüpload.',
    wrongType: '{name} heeft een type dat niet wordt geaccepteerd.',
    tooLarge: '{name} is groter dan 10 MB.',
    tooMany: 'Hier kunnen geen bestanden meer worden verzonden.',
  },
  pt: {
    attach: 'Anexar arquivos',
    remove: 'Remover {name}',
    ready: '{name} está anexado',
    drop: 'Solte os arquivos aqui',
    retry: 'Tentar novamente',
    waiting: 'A mensagem será enviada após o envio do arquivo.',
    failed: 'Não foi possível enviar {name}.',
    wrongType: 'O tipo de {name} não é aceito.',
    tooLarge: '{name} tem mais de 10 MB.',
    tooMany: 'Não é possível enviar mais arquivos aqui.',
  },
};
