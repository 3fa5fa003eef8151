import { portugueseWords } from './words/pt.ts';
import type { LanguagePhrases } from './language-phrases.ts';

export const portuguese: LanguagePhrases = {
  smallTalk: {
    denial: 'nao|nop|agora nao|ainda nao|nem por isso|claro que nao|de modo nenhum|de jeito nenhum',
    affirmation:
      'sim|sim sim|sim por favor|sim obrigado|sim obrigada|sim claro|claro que sim|com certeza sim|certamente|exatamente|pode ser|pode sim|faca isso|seria otimo|seria optimo|seria bom|seria ideal|quero sim|gostaria sim|por favor sim|isso',
    greeting:
      'ola|oi|oie|ei|bom dia|boa tarde|boa noite|hey|hello|hi|opa|e ai|alo|viva|oi oi|saudacoes|prazer|muito prazer|ola a todos',
    pause:
      'um momento|um momento por favor|um momentinho|momento|so um momento|um instante|um segundo|um minuto|so um minuto|um minutinho|espera|espere|espera ai|espera um pouco|espere um momento|aguarde|aguarda|aguarde um momento|peraí|perai|ja volto|volto ja|deixa me pensar|deixe me pensar|deixa eu ver|deixa me ver|vou pensar|talvez|quem sabe|se calhar|nao sei|sei la|nao tenho certeza|nao tenho a certeza|nao faco ideia|vamos ver|depende|pare|para|parar|stop|chega',
    gives_details:
      'meu email e|o meu email e|meu e mail e|o meu e mail e|email|e mail|meu numero e|o meu numero e|meu telefone e|o meu telefone e|meu telemovel e|o meu telemovel e|meu celular e|telefone|tel|celular|meu numero de pedido e|aqui esta meu numero|aqui esta o meu numero|e',
    how_are_you:
      'como vai|como vai voce|como estas|como voce esta|como esta|tudo bem|tudo bom|tudo certo|como vao as coisas|beleza|td bem|como e que esta|como e que estas|esta tudo bem|tudo bem contigo|tudo bem com voce',
    thanks:
      'obrigado|obrigada|muito obrigado|muito obrigada|obg|obgd|valeu|vlw|agradeco|agradecido|agradecida|grato|grata|ajudou|ajudou muito|isso ajuda|muito util|util|voce e demais|voce e otimo|es o melhor|bom trabalho|te amo|amo te|gratidao|brigado|brigada',
    goodbye:
      'nao obrigado|nao obrigada|boa noite|tchau|tenha uma boa tarde|tenha um bom fim de semana|tenha uma boa noite|boa continuacao|ate a proxima|fui|igualmente|tchauzinho|adeus|ate logo|ate mais|ate amanha|ate breve|ate ja|tenha um bom dia|tenha um otimo dia|bom fim de semana|bye|xau|isso e tudo|e so isso|era so isso|e tudo|mais nada|nada mais|preciso ir|tenho de ir|nao tenho mais perguntas|fique bem',
    acknowledgement:
      'ok|okay|certo|ta|ta bom|ta bem|esta bem|combinado|perfeito|otimo|optimo|bom|muito bem|bem|legal|fixe|entendi|entendido|percebi|compreendo|entendo|claro|beleza|blz|show|excelente|maravilha|wow|lol|haha|kkk|kkkk|rs|rsrs|hmm|hm|aham|ah|oh|teste|isto e um teste|isso e um teste|so um teste|test|nada|deixa pra la|deixa estar|nao importa|sem problema|interessante|bom saber|com certeza|que bom',
    complaint:
      'o que|como assim|nao entendi|nao entendo|nao percebi|nao percebo|nao faz sentido|o que quer dizer|responda a minha pergunta|responde a minha pergunta|voce e burro|es burro|voce e estupido|es estupido|voce e inutil|es inutil|burro|estupido|idiota|imbecil|otario|inutil|nao serve para nada|nao serves para nada|nao serve pra nada|merda|que merda|vai a merda|vai se foder|foda se|caralho|porra|cala a boca|isso esta errado|esta errado|errado|resposta errada|falso|isso nao ajuda|nao ajuda|nao ajudou|isso nao me ajuda|nao me ajuda|nao me ajudou|voce nao entende|nao entende nada|nao me entende|nao entendes|nao percebes|voce nao me entende|nao foi isso que perguntei|nao foi o que perguntei|nao respondeu a minha pergunta|voce nao respondeu a minha pergunta|eu te odeio|te odeio|odeio te|horrivel|pessimo|ridiculo|que droga|droga|estou irritado|estou furioso',
    asks_abilities:
      'mais|continua|continue|conta me mais|conte me mais|me conta mais|mais informacoes|mais detalhes|conta uma piada|conte uma piada|estou entediado|voce me ama|casa comigo|quantos anos tens|quantos anos voce tem|onde estas|onde voce esta|diz alguma coisa|o que voce pode fazer|o que voce faz|o que voce sabe fazer|o que podes fazer|o que fazes|o que sabes fazer|o que pode fazer|o que pode fazer por mim|como voce pode me ajudar|como pode me ajudar|como pode ajudar|como pode ajudar me|como podes ajudar me|em que pode ajudar|em que voce pode me ajudar|em que pode me ajudar|ajuda|socorro|me ajuda|me ajude|ajude me|ajuda me|pode me ajudar|pode ajudar me|podes ajudar me|voce pode me ajudar|voce pode ajudar|poderia me ajudar|consegue me ajudar|preciso de ajuda|estou precisando de ajuda|tenho uma pergunta|tenho uma duvida|tenho duvidas|tenho perguntas|tenho um problema|estou com um problema|estou com uma duvida|uma pergunta|uma duvida|duvida|pergunta|posso fazer uma pergunta|posso perguntar uma coisa|posso te fazer uma pergunta|o que posso perguntar|o que e isso|o que e isto|como funciona|como isso funciona|como isto funciona|para que serves|para que serve|para que voce serve|menu|iniciar|inicio',
    asks_maker:
      'que modelo de ia|qual modelo de ia|que modelo|qual modelo|quem te criou|quem te fez|quem criou voce|quem fez voce|quem voce criou|quem te desenvolveu|quem desenvolveu voce|quem te programou|quem programou voce|quem te construiu|quem e o teu criador|quem e seu criador|quem e o seu criador|para quem trabalhas|para quem voce trabalha|de onde voce e|de onde voce vem|de onde es|de onde vens|quem esta por tras de voce|qual modelo voce e|que modelo es|voce e o chatgpt|voce e chatgpt|es o chatgpt|voce e gpt|que ia es|qual ia voce e',
    asks_if_bot:
      'estas ai|voce esta ai|esta ai|ha alguem|tem alguem|ha alguem ai|tem alguem ai|alguem ai|tem alguem aqui|alguem|voce e um robo|voce e um bot|voce e uma ia|voce e humano|voce e humana|voce e um humano|voce e uma pessoa|voce e uma pessoa real|voce e uma pessoa de verdade|voce e real|voce e um chatbot|voce e uma maquina|es um robo|es um robot|es um bot|es uma ia|es humano|es um humano|es uma pessoa|es uma pessoa real|es real|es uma maquina|e um robo|e um bot|isso e um robo|isso e um bot|isto e um robo|isto e um bot|estou falando com um robo|estou falando com um bot|estou falando com uma pessoa|estou falando com um humano|estou a falar com um robo|estou a falar com um bot|estou a falar com uma pessoa|falo com um robo|falo com uma pessoa|robo ou humano|robo ou pessoa|quem e voce|quem es tu|quem es|o que e voce|o que es|qual e o seu nome|qual e o teu nome|qual seu nome|qual o seu nome|como voce se chama|como te chamas|como se chama|seu nome|teu nome',
  },
  names: 'meu nome e|o meu nome e|me chamo|chamo me',
  thanksFor: 'por|pela|pelo|pelas|pelos',
  questionWords:
    'que|como|quando|onde|qual|quais|quem|porque|quanto|quanta|mas|posso|pode|nao|quero|preciso|ha|tem',
  words: portugueseWords,
  fillers:
    'por favor|pf|pfv|pfvr|senhor|senhora|a todos|pessoal|galera|gente|amigo|amiga|bot|robo|equipe|equipa|muito|muita|entao|e|sim|nao|mas|pela ajuda|pela sua ajuda|pela tua ajuda|pela informacao|pelas informacoes|pela resposta|pela atencao|por tudo|por nada|de novo|outra vez|voce|tu|ai|ca|agora|tambem|demais|mesmo|hoje|ne',
  intensifiers: 'mesmo|realmente|so',
  continuations:
    'sobre|acerca|por|porque|pois|que|nao|e|agora|ja|em|no|na|hoje|diretamente|obrigado|obrigada|aqui|para|a|de|do|da|ou',
};
