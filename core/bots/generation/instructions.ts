/**
 * Matches sentences of a bot's description that tell the assistant what to do, in the seven supported
 * languages. Each language has orders ("Always answer …"), and sentences about the bot ("The bot should …").
 */
const INSTRUCTION = new RegExp(
  [
    String.raw`^(?:please |always |never |do not |don['’]t |only |kindly )*(?:answer|reply|respond|be (?:polite|friendly|brief|short|formal|kind|nice|professional|helpful|concise|honest)|use (?:a|an|the|simple|short|formal|informal|plain|emojis?|no)|ask|collect|offer|avoid|mention|recommend|refer|tell|greet|speak|write|keep|make sure|ensure|focus|promise|give|send|say|talk|explain|help|invite|encourage|hand over|forward|pretend|act|behave|remember|ignore|translate)\b`,
    String.raw`^(?:never|don['’]t|do not)\b`,
    String.raw`^(?:the |our |this |my )?(?:chat ?)?(?:bot|assistant|chatbot) (?:should|must|shall|may|can|has to|needs to|is to|will)\b`,
    String.raw`^(?:it|you) (?:should|must|shall|has to|have to|needs? to)\b`,
    String.raw`^(?:bitte |immer |nie |niemals |stets )*(?:antworte|antworten sie|beantworte|sei|seien sie|frage?|fragen sie|verwende|verwenden sie|benutze|nutze|erwähne|empfiehl|vermeide|nenne|verweise|biete|sprich|duze|sieze|begrüße|achte|schreibe?|hilf)\b`,
    String.raw`^(?:der |unser |das |mein )?(?:chat-?)?(?:bot|assistent|chatbot) (?:soll|sollte|muss|darf|kann)\b`,
    String.raw`^(?:er|es|du) (?:soll|sollte|sollst|solltest)\b`,
    String.raw`^(?:s['’]il (?:te|vous) plaît,? |toujours |ne |n['’])*(?:réponds|répondez|sois|soyez|utilise[z]?|demande[z]?|évite[z]?|mentionne[z]?|propose[z]?|parle[z]?|recommande[z]?|vouvoie[z]?|tutoie[z]?)\b`,
    String.raw`^(?:le |notre |l['’]|mon )?(?:bot|assistant|chatbot) (?:doit|devrait|peut|ne doit)\b`,
    String.raw`^(?:por favor,? |siempre |nunca |no )*(?:responde|responda|sé|sea|usa|use|utiliza|utilice|pregunta|pregunte|evita|evite|menciona|mencione|ofrece|ofrezca|habla|hable|recomienda|recomiende|contesta|conteste)\b`,
    String.raw`^(?:el |nuestro |mi )?(?:bot|asistente|chatbot) (?:debe|debería|puede|no debe)\b`,
    String.raw`^(?:per favore,? |sempre |mai |non )*(?:rispondi|risponda|sii|sia|usa|usi|utilizza|chiedi|chieda|evita|eviti|menziona|offri|parla|parli|consiglia)\b`,
    String.raw`^(?:il |l['’]|lo |nostro |mio )*(?:bot|assistente|chatbot) (?:deve|dovrebbe|può|non deve)\b`,
    String.raw`^(?:alsjeblieft,? |altijd |nooit )*(?:antwoord|beantwoord|wees|gebruik|vraag|vermijd|noem|bied|spreek|schrijf|verwijs)\b`,
    String.raw`^(?:de |onze |mijn )?(?:bot|assistent|chatbot) (?:moet|zou|mag|kan)\b`,
    String.raw`^(?:por favor,? |sempre |nunca |não )*(?:responda|responde|seja|sê|use|usa|utilize|pergunte|pergunta|evite|evita|mencione|ofereça|fale|fala|recomende)\b`,
    String.raw`^(?:o |nosso |meu )?(?:bot|assistente|chatbot) (?:deve|deveria|pode|não deve)\b`,
  ]
    .join('|')
    // Replace `\b`, which knows only ASCII letters: "sé" would end before its accent.
    .replaceAll(String.raw`)\b`, String.raw`)(?![\p{L}\p{N}])`),
  'iu',
);

/** Returns true if a sentence of the owner's description tells the assistant what to do. */
export function isInstruction(sentence: string): boolean {
  return INSTRUCTION.test(sentence.trim());
}
