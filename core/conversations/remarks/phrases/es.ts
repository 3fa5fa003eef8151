import { spanishWords } from './words/es.ts';
import type { LanguagePhrases } from './language-phrases.ts';

export const spanish: LanguagePhrases = {
  smallTalk: {
    denial: 'no|nop|para nada|ahora no|todavia no|no por ahora|claro que no',
    affirmation:
      'si|sip|si por favor|si claro|claro que si|por supuesto|desde luego|efectivamente|si gracias|adelante|hagalo|hazlo|seria genial|seria estupendo|estaria bien|me encantaria',
    greeting:
      'hola|holi|holaa|buenas|buenos dias|buenas tardes|buenas noches|buen dia|hey|hello|hi|saludos|que tal|que onda|muy buenas|encantado|encantada|un saludo',
    pause:
      'un momento|un momento por favor|un momentito|momento|un segundo|un seg|un minuto|espera|espere|espera un momento|espere un momento|espera por favor|espere por favor|esperame|ya vuelvo|ahora vuelvo|dejame pensar|dejeme pensar|dejame ver|quizas|quiza|tal vez|a lo mejor|puede ser|puede que si|no lo se|no se|no estoy seguro|no estoy segura|ni idea|ya veremos|depende|para|stop|detente|suficiente',
    gives_details:
      'mi correo es|mi email es|mi correo electronico es|correo|email|mi numero es|mi telefono es|mi numero de telefono es|mi movil es|mi celular es|telefono|mi numero de pedido es|aqui esta mi numero|aqui esta mi correo|es',
    how_are_you:
      'como estas|como esta|como esta usted|como te va|como le va|que tal estas|que tal esta|que tal todo|como andas|todo bien|como va todo|como va',
    thanks:
      'gracias|muchas gracias|mil gracias|muchisimas gracias|te lo agradezco|se lo agradezco|le agradezco|te agradezco|gracias por todo|grax|me ha ayudado|eso ayuda|muy util|util|eres genial|eres el mejor|buen trabajo|bien hecho|te quiero|te amo|muy amable',
    goodbye:
      'no gracias|buenas noches|adios|que pase buena tarde|que pase un buen dia|que pase buen dia|que pases un buen dia|que pases buena tarde|igualmente|hasta otra|gracias y adios|hasta luego|hasta pronto|hasta manana|hasta la vista|nos vemos|chao|chau|bye|que tenga un buen dia|que tengas un buen dia|buen fin de semana|eso es todo|eso era todo|nada mas|me tengo que ir|no tengo mas preguntas|cuidate',
    acknowledgement:
      'ok|okay|vale|de acuerdo|perfecto|genial|bien|muy bien|entendido|entiendo|ya veo|claro|estupendo|excelente|bueno|guay|super|wow|lol|jaja|jajaja|hmm|hm|aja|ah|oh|esta bien|listo|prueba|esto es una prueba|solo una prueba|test|nada|da igual|no importa|no pasa nada|interesante|que bien|por supuesto|chevere',
    complaint:
      'que|como|perdon|no entiendo|no lo entiendo|no comprendo|no tiene sentido|que quieres decir|que quiere decir|responde a mi pregunta|responda a mi pregunta|eres tonto|eres tonta|eres estupido|eres inutil|eres un inutil|eres idiota|eres un idiota|tonto|estupido|idiota|imbecil|inutil|no sirves|no sirves para nada|no sirve|no sirve para nada|no sirve de nada|mierda|vete a la mierda|que mierda|callate|joder|puta|puto|gilipollas|pendejo|eso es falso|falso|eso esta mal|esta mal|respuesta incorrecta|incorrecto|eso no ayuda|eso no me ayuda|no me ayuda|no me ayudas|no ayuda|no me entiendes|no entiendes|no entiendes nada|no me entiende|eso no es lo que pregunte|no es lo que pregunte|no respondes a mi pregunta|no has respondido a mi pregunta|te odio|horrible|malisimo|que malo|estoy enfadado|estoy harto|estoy enojado',
    asks_abilities:
      'mas|continua|continue|sigue|siga|dime mas|digame mas|mas informacion|mas detalles|cuentame un chiste|cuenta un chiste|me aburro|estoy aburrido|me quieres|casate conmigo|cuantos anos tienes|donde estas|di algo|que puedes hacer|que puede hacer|que puedes hacer por mi|que sabes hacer|que haces|en que puedes ayudarme|en que me puedes ayudar|en que puede ayudarme|como puedes ayudarme|como puede ayudarme|como me puedes ayudar|ayuda|ayudame|ayudeme|puedes ayudarme|puede ayudarme|me puedes ayudar|me puede ayudar|me ayudas|me podrias ayudar|podrias ayudarme|podria ayudarme|necesito ayuda|necesito un poco de ayuda|tengo una pregunta|tengo una duda|tengo dudas|tengo preguntas|tengo un problema|una pregunta|una consulta|tengo una consulta|pregunta|consulta|puedo hacer una pregunta|puedo preguntarte algo|que puedo preguntar|que puedo preguntarte|que es esto|como funciona|como funciona esto|menu|para que sirves|inicio',
    asks_maker:
      'que modelo de ia|que inteligencia artificial|que modelo|quien te creo|quien te hizo|quien te ha creado|quien te ha hecho|quien te desarrollo|quien te programo|quien te diseno|quien te construyo|quien es tu creador|quienes son tus creadores|para quien trabajas|de donde eres|de donde vienes|quien esta detras de ti|que modelo eres|eres chatgpt|eres gpt|eres claude|eres siri|eres alexa|que ia eres',
    asks_if_bot:
      'estas ahi|sigues ahi|hay alguien|hay alguien ahi|hay alguien aqui|alguien ahi|alguien aqui|esta alguien|eres un bot|eres un robot|eres una ia|eres humano|eres humana|eres un humano|eres una persona|eres una persona real|eres una persona de verdad|eres real|eres un chatbot|eres una maquina|es usted un robot|es usted un bot|es usted humano|es usted una persona|es usted una persona real|es esto un bot|es un bot|es un robot|esto es un bot|estoy hablando con un bot|estoy hablando con un robot|estoy hablando con una persona|estoy hablando con un humano|hablo con un bot|hablo con un robot|hablo con una persona|hablo con un humano|robot o persona|persona o robot|quien eres|quien es usted|que eres|como te llamas|como se llama|cual es tu nombre|cual es su nombre|tu nombre',
  },
  names: 'me llamo|mi nombre es',
  thanksFor: 'por',
  questionWords: 'que|como|cuando|donde|cual|cuales|quien|cuanto|cuanta|pero|puedo|hay|necesito|quiero|no',
  words: spanishWords,
  fillers:
    'por favor|porfa|porfavor|senor|senora|a todos|a todas|amigo|amiga|bot|robot|equipo|muy|mucho|muchas|entonces|pues|y|si|no|pero|por tu ayuda|por su ayuda|por la ayuda|por la informacion|por la info|por tu respuesta|por su respuesta|por nada|de nuevo|otra vez|a ti|a usted|a ustedes|tu|usted|ahora|es|todo|lo',
  intensifiers: 'realmente|solo|tan|muy|acaso',
  continuations:
    'sobre|acerca|de|del|por|porque|para|que|no|y|ya|ahora|en|hoy|directamente|gracias|aqui|respecto|en vez|o|si',
};
